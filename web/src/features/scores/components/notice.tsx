/** What the user should know before relying on the grades. */
export function Notice({ text }: { text: string }) {
  return (
    <p aria-live="polite" className="rounded-md bg-notice-wash px-4 py-3 text-notice">
      {text}
    </p>
  );
}
