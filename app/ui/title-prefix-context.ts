import { createContext } from "react";

/** What precedes the title of every page, such as "(1 waiting) "; a tab shows little more than the beginning. */
export const TitlePrefixContext = createContext("");
