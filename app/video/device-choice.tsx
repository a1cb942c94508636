import { useId } from "react";
import type { Call } from "./call.client.ts";
import type { CallState } from "./call-state.ts";

/** Which camera and which microphone, where there are several. */
export function DeviceChoice({ call, media }: { call: Call; media: CallState["media"] }) {
  const { cameras, microphones, cameraId, microphoneId } = media;
  return (
    <>
      <Choice label="Camera" devices={cameras} chosen={cameraId} choose={(id) => call.choose("camera", id)} />
      <Choice
        label="Microphone"
        devices={microphones}
        chosen={microphoneId}
        choose={(id) => call.choose("microphone", id)}
      />
    </>
  );
}

type ChoiceProps = {
  label: string;
  devices: CallState["media"]["cameras"];
  chosen: string;
  choose: (id: string) => void;
};

function Choice({ label, devices, chosen, choose }: ChoiceProps) {
  const id = useId();
  if (devices.length < 2) return null;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Choose the {label.toLowerCase()}
      </label>
      <select id={id} className="input" value={chosen} onChange={({ target }) => choose(target.value)}>
        {devices.map((device) => (
          <option key={device.id} value={device.id}>
            {device.label}
          </option>
        ))}
      </select>
    </div>
  );
}
