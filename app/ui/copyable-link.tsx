import { Button } from "./button.tsx";
import { showToast } from "./toast.ts";

type CopyableLinkProps = {
  url: string;
  /** What to do with the copied link. */
  nextStep: string;
};

/** Shows a link once, with a button that copies it. */
export function CopyableLink({ url, nextStep }: CopyableLinkProps) {
  return (
    <>
      <p>
        <output className="secret">{url}</output>
      </p>
      <Button variant="primary" type="button" className="scripted" onClick={() => void copyLink(url, nextStep)}>
        Copy the link
      </Button>
    </>
  );
}

/**
 * Copies the link and shows the result. The browser may deny access to the clipboard, or provide none outside of HTTPS.
 */
async function copyLink(url: string, description: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    showToast({ title: "Link Copied", description });
  } catch {
    showToast({
      title: "Not Copied",
      description: "Please select the link and copy it yourself.",
      style: "destructive",
    });
  }
}
