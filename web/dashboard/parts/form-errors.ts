import { createContext } from 'react';

/**
 * What the gateway said about the fields of a form. It stays until the form is sent again: React Aria's own server
 * errors vanish when a field loses the focus, which moves the button away from under the pointer.
 */
export const FormErrors = createContext<Readonly<Record<string, readonly string[]>>>({});
