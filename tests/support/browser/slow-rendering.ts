import type { Locator, Page } from "playwright/test";

type SlowWindow = { setRendering: (isOn: boolean) => void };

/** Prepares the next page, so that its rendering can be stopped. React renders in tasks of a message channel. */
export async function allowSlowRendering(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const post = Reflect.get(MessagePort.prototype, "postMessage");
    const held: (() => void)[] = [];
    let isOn = true;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...message: [never]) {
      if (isOn) post.apply(this, message);
      else held.push(() => post.apply(this, message));
    };
    (window as unknown as SlowWindow).setRendering = (value) => {
      isOn = value;
      if (isOn) for (const send of held.splice(0)) send();
    };
  });
}

/** Submits a form with a click. Nothing is rendered until the whole navigation is over. */
export async function submitWithSlowRendering(button: Locator): Promise<void> {
  await button.evaluate(async (element: HTMLElement) => {
    const { setRendering } = window as unknown as SlowWindow;
    const before = history.state;
    element.click();
    setRendering(false);
    while (history.state === before) await new Promise((resolve) => setTimeout(resolve, 20));
    setRendering(true);
  });
}
