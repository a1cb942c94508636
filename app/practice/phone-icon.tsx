import { createIcon } from "../ui/icons.tsx";

export const PhoneIcon = createIcon(
  <path d="M5.25 3.5h3l1.75 4.5-2.25 1.75a12.5 12.5 0 0 0 6.5 6.5L16 14l4.5 1.75v3a1.75 1.75 0 0 1-1.9 1.75A16.75 16.75 0 0 1 3.5 5.4 1.75 1.75 0 0 1 5.25 3.5Z" />,
);
