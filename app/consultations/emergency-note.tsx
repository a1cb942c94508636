/** Said before anyone chooses, and louder once someone did: we are no emergency service. */
export function EmergencyNote({ isChosen }: { isChosen: boolean }) {
  return (
    <div role={isChosen ? "alert" : "note"} className="notice">
      <p>
        <strong>This is not an emergency service.</strong> If someone is in danger, call <a href="tel:911">911</a>. To
        talk to someone in a crisis, call or text <a href="tel:988">988</a>, day and night.
      </p>
    </div>
  );
}
