import type { ReactNode } from "react";

type IconProps = { className?: string };

/**
 * Creates a line icon. Icons are decorative: a text always contains the meaning. Every signed-in page loads the icons of
 * this file: one that few pages show stands with its page.
 */
export function createIcon(paths: ReactNode) {
  return function Icon({ className = "size-6" }: IconProps) {
    return (
      <svg
        className={`shrink-0 ${className}`}
        // Their size until the styles have loaded, or without them.
        width="24"
        height="24"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {paths}
      </svg>
    );
  };
}

export const CalendarIcon = createIcon(
  <>
    <rect x="3.5" y="5" width="17" height="15.5" rx="2.5" />
    <path d="M3.5 10h17M8 2.75V7M16 2.75V7" />
  </>,
);
export const DocumentIcon = createIcon(
  <>
    <path d="M6.5 2.75h7L18.5 8v11a2.25 2.25 0 0 1-2.25 2.25h-9.5A2.25 2.25 0 0 1 4.5 19V5" />
    <path d="M13.25 3v5.25h5M8.25 13h7M8.25 16.75h4.5" />
  </>,
);
export const FormIcon = createIcon(
  <>
    <rect x="4.5" y="4" width="15" height="17" rx="2.25" />
    <path d="M9 2.75h6v2.5H9zM8 11l1.25 1.25L11.5 10M14 11.25h2.25M8 16l1.25 1.25L11.5 15M14 16.25h2.25" />
  </>,
);
export const HomeIcon = createIcon(<path d="M3.5 11.25 12 4l8.5 7.25M6 9.5v10h12v-10M10 19.5V14h4v5.5" />);
export const DashboardIcon = createIcon(
  <>
    <rect x="3.5" y="3.5" width="7" height="8.5" rx="1.5" />
    <rect x="13.5" y="3.5" width="7" height="5" rx="1.5" />
    <rect x="3.5" y="15.5" width="7" height="5" rx="1.5" />
    <rect x="13.5" y="12" width="7" height="8.5" rx="1.5" />
  </>,
);
export const LogoutIcon = createIcon(<path d="M10 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4M15 8l4.5 4-4.5 4M19 12H9.5" />);
export const MenuIcon = createIcon(<path d="M3.5 7h17M3.5 12.25c3.5-1.5 5.5 1.5 8.5 0s5-1.5 8.5 0M3.5 17.5h17" />);
export const CloseIcon = createIcon(<path d="m5.5 5.5 13 13M18.5 5.5l-13 13" />);
export const CheckIcon = createIcon(<path d="m4.5 12.75 5 5 10-11" />);
export const AlertIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7.25v5.5M12 16.4v.2" />
  </>,
);
export const ChevronIcon = createIcon(<path d="m6 9.5 6 6 6-6" />);
export const MailIcon = createIcon(
  <>
    <rect x="3" y="5" width="18" height="14" rx="2.5" />
    <path d="m3.75 7.25 8.25 6 8.25-6" />
  </>,
);
export const MoneyIcon = createIcon(<path d="M12 3v18M16.5 7H10a2.5 2.5 0 0 0 0 5h4a2.5 2.5 0 0 1 0 5H7" />);
export const PersonIcon = createIcon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20.5c.75-4 3.75-6 7.5-6s6.75 2 7.5 6" />
  </>,
);
export const VideoIcon = createIcon(
  <>
    <rect x="2.75" y="6" width="12.5" height="12" rx="2.5" />
    <path d="m15.25 10.5 6-3v9l-6-3" />
  </>,
);
export const TrashIcon = createIcon(
  <path d="M4 6.5h16M9.5 6.25V3.75h5v2.5M6 6.5l1 13.75h10L18 6.5M10.25 10.5v6M13.75 10.5v6" />,
);
export const DownloadIcon = createIcon(<path d="M12 3.5v11.25M7.25 10.5 12 15l4.75-4.5M4 19.75h16" />);
export const EyeIcon = createIcon(
  <>
    <path d="M2.5 12C4.5 8 8 6 12 6s7.5 2 9.5 6c-2 4-5.5 6-9.5 6s-7.5-2-9.5-6Z" />
    <circle cx="12" cy="12" r="2.75" />
  </>,
);
export const SearchIcon = createIcon(
  <>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m15.5 15.5 5 5" />
  </>,
);
export const PlusIcon = createIcon(<path d="M12 4.5v15M4.5 12h15" />);
