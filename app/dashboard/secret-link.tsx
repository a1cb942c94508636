import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { showNotice } from "../ui/notice.ts";

/** A link that is shown once, with what to do with it. */
export function SecretLink({ url, children }: { url: string; children: ReactNode }) {
  return (
    <>
      <p>{children}</p>
      <p>
        <output className="secret">{url}</output>
      </p>
      <Button variant="primary" type="button" className="scripted" onClick={() => void copy(url)}>
        Copy the link
      </Button>
    </>
  );
}

/** The browser may deny clipboard access, or have no clipboard outside https. */
async function copy(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    showNotice({ title: "Link Copied", description: "Paste it into a message to the family." });
  } catch {
    showNotice({
      title: "Not Copied",
      description: "Please select the link and copy it yourself.",
      style: "destructive",
    });
  }
}
