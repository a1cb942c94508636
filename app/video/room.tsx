import { NotOpenYet, notOpenYet } from "../practice/not-open-yet.tsx";

export const loader = notOpenYet;

export default function VideoCall() {
  return <NotOpenYet heading="Video visit" text="Video visits can't be joined here yet." />;
}
