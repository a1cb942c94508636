export const MIN_PASSWORD_LENGTH = 6;

export const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters. A few words you will remember are best.`;
