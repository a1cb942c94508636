export const MAX_PORTRAIT_KB = 200;
export const MAX_PORTRAIT_BYTES = MAX_PORTRAIT_KB * 1024;
export const ACCEPTED_PORTRAIT_TYPES = "image/jpeg,image/png,image/webp";
