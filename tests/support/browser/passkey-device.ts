import type { CDPSession, Page } from "playwright/test";

/** A device that finds its owner's finger at once; `lose` takes it away and gives an empty one. */
export async function addDevice(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  let authenticatorId = await addAuthenticator(session);
  return {
    lose: async () => {
      await session.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
      authenticatorId = await addAuthenticator(session);
    },
    count: async () => (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
  };
}

async function addAuthenticator(session: CDPSession): Promise<string> {
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}
