import { Button } from "./button.tsx";
import { showToast } from "./toast.ts";

type CopyableLinkProps = {
  url: string;
  /** What to do with the copied link. */
  nextStep: string;
};

/** A link that is shown once, with a button that copies it. */
export function CopyableLink({ url, nextStep }: CopyableLinkProps) {
  return (
    <>
      <p>
        <output className="secret">{url}</output>
      </p>
      <Button variant="primary" type="button" className="scripted" onClick={() => void copy(url, nextStep)}>
        Copy the link
      </Button>
    </>
  );
}

/** The browser may deny clipboard access, or have no clipboard outside https. */
async function copy(url: string, description: string): Promise<void> {
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
