import { useForm } from "@conform-to/react";
import { useKeptValues } from "./kept-form.tsx";

/** Conform's form of a page: starts with what waits for it, where something does. */
export const usePageForm: typeof useForm = (options) => {
  const kept = useKeptValues();
  const defaultValue = kept ? { ...(options.defaultValue as object | undefined), ...kept } : options.defaultValue;
  return useForm({ ...options, defaultValue: defaultValue as typeof options.defaultValue });
};
