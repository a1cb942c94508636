import { useSite } from "../practice/site.ts";
import { Button } from "../ui/button.tsx";
import { showNotice } from "../ui/notice.ts";
import { When } from "../ui/when.tsx";

type SecretLinkProps = { url: string; expiresAt: string; recipient: string };

/** A one-time link for a family, shown once. `expiresAt` is an ISO instant. */
export function SecretLink({ url, expiresAt, recipient }: SecretLinkProps) {
  const { timeZone } = useSite().practice;
  return (
    <>
      <p>
        Give this link to {recipient}, by phone or in a message of your own. It works once, until{" "}
        <When instant={expiresAt} zone={timeZone} inSentence />. It is shown only now.
      </p>
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
