import { type ReactNode, useId } from "react";
import { Link } from "react-router";

type CardProps = {
  title: string;
  titleAs?: "h2" | "h3";
  /** Shown next to the title; usually one LinkButton. */
  action?: ReactNode;
  className?: string;
  children: ReactNode;
};

export function Card({ title, titleAs: Title = "h2", action, className = "", children }: CardProps) {
  const id = useId();
  return (
    <section className={`card ${className}`.trim()} aria-labelledby={id}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Title id={id} tabIndex={-1} className="text-xl">
          {title}
        </Title>
        {action}
      </div>
      {children}
    </section>
  );
}

/** Shows one number of an overview. With `to` the whole card is a link. */
export function StatCard({ label, value, to }: { label: string; value: string | number; to?: string }) {
  const figure = <span className="text-3xl font-bold text-ink">{value}</span>;
  if (!to) {
    return (
      <div className="card gap-2">
        <span className="text-muted">{label}</span>
        {figure}
      </div>
    );
  }
  return (
    <Link to={to} className="card group gap-2 hover:border-primary">
      <span className="text-primary underline decoration-1 underline-offset-4 group-hover:decoration-2">{label}</span>
      {figure}
    </Link>
  );
}

/** Shows one number of a narrow row of numbers. */
export function StatLink({ label, value, to }: { label: string; value: string | number; to: string }) {
  return (
    <Link to={to}>
      <span>{label}</span> <strong>{value}</strong>
    </Link>
  );
}
