import { useId } from "react";
import type { CallClient } from "./call.client.ts";
import type { CallState } from "./call-state.ts";

/** Shows the selects for camera and microphone; each is shown only if there are several devices. */
export function DeviceSelects({ call, media }: { call: CallClient; media: CallState["media"] }) {
  const { cameras, microphones, cameraId, microphoneId } = media;
  return (
    <>
      <DeviceSelect
        label="Camera"
        devices={cameras}
        selectedId={cameraId}
        onSelect={(id) => void call.media.chooseCamera(id)}
      />
      <DeviceSelect
        label="Microphone"
        devices={microphones}
        selectedId={microphoneId}
        onSelect={(id) => void call.media.chooseMicrophone(id)}
      />
    </>
  );
}

type DeviceSelectProps = {
  label: string;
  devices: CallState["media"]["cameras"];
  selectedId: string;
  onSelect: (id: string) => void;
};

function DeviceSelect({ label, devices, selectedId, onSelect }: DeviceSelectProps) {
  const id = useId();
  if (devices.length < 2) return null;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Choose the {label.toLowerCase()}
      </label>
      <select id={id} className="input" value={selectedId} onChange={({ target }) => onSelect(target.value)}>
        {devices.map((device) => (
          <option key={device.id} value={device.id}>
            {device.label}
          </option>
        ))}
      </select>
    </div>
  );
}
