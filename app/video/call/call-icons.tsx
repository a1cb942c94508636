import { createIcon } from "../../ui/icons.tsx";

export const CameraOffIcon = createIcon(
  <>
    <path d="M9 6h3.75a2.5 2.5 0 0 1 2.5 2.5V12m0 3.5a2.5 2.5 0 0 1-2.5 2.5h-7.5a2.5 2.5 0 0 1-2.5-2.5v-7A2.5 2.5 0 0 1 4.5 6.1M15.25 10.5l6-3v9l-4-2" />
    <path d="m3 3 18 18" />
  </>,
);
export const MicrophoneIcon = createIcon(
  <>
    <rect x="8.75" y="2.75" width="6.5" height="11.5" rx="3.25" />
    <path d="M5.25 11.5a6.75 6.75 0 0 0 13.5 0M12 18.25v3M8.75 21.25h6.5" />
  </>,
);
export const MicrophoneOffIcon = createIcon(
  <>
    <path d="M15.25 10V6a3.25 3.25 0 0 0-6.35-.9M8.75 9v2a3.25 3.25 0 0 0 5 2.75M5.25 11.5a6.75 6.75 0 0 0 10.5 5.6M18.5 13.5c.16-.64.25-1.3.25-2M12 18.25v3M8.75 21.25h6.5" />
    <path d="m3 3 18 18" />
  </>,
);
export const FlipIcon = createIcon(
  <path d="M4 9.5A8.25 8.25 0 0 1 19 8M20 14.5A8.25 8.25 0 0 1 5 16M19.5 3.75V8H15M4.5 20.25V16H9" />,
);
export const ChatIcon = createIcon(
  <path d="M4 5.75A2.25 2.25 0 0 1 6.25 3.5h11.5A2.25 2.25 0 0 1 20 5.75v8.5a2.25 2.25 0 0 1-2.25 2.25H11l-4.75 4v-4A2.25 2.25 0 0 1 4 14.25ZM8 8.25h8M8 12h5" />,
);
export const HangUpIcon = createIcon(
  <path d="M3 14.5c0-1 .6-2 1.5-2.6a13.5 13.5 0 0 1 15 0c.9.6 1.5 1.6 1.5 2.6v1.25a1 1 0 0 1-1.2 1l-3.3-.7a1 1 0 0 1-.8-1V12.9a11 11 0 0 0-7.4 0v2.15a1 1 0 0 1-.8 1l-3.3.7a1 1 0 0 1-1.2-1Z" />,
);
