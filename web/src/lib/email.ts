const EMAIL = /^[^\s@<>()[\],:;"]+@(?:[^\s@<>()[\],:;".]+\.)+[^\s@<>()[\],:;".]{2,}$/;

/** Whether a text can be an email address. */
export const isEmail = (text: string) => EMAIL.test(text);
