import { useEffect, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { isSearchShortcutEnabled, setSearchShortcutEnabled } from "./search-shortcut-setting.ts";

/**
 * Turns the key `/` off and on, because people who use speech input press such keys unintentionally. Not shown if the
 * browser denies access to storage; the key then does nothing.
 */
export function SearchShortcutToggle() {
  const [isOn, setIsOn] = useState<boolean | null>(null);
  function update() {
    try {
      setIsOn(isSearchShortcutEnabled());
    } catch {
      setIsOn(null);
    }
  }
  useEffect(update, []);
  if (isOn === null) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-muted max-sm:hidden">
      <span role="status">
        {isOn ? "The key / takes you to the search from every page." : "The key / is turned off in this browser."}
      </span>
      <Button
        type="button"
        variant="quiet"
        onClick={() => {
          setSearchShortcutEnabled(!isOn);
          update();
        }}
      >
        {isOn ? "Turn it off" : "Turn it on"}
      </Button>
    </p>
  );
}
