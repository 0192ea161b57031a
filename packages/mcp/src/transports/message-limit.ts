/** The default limit of a message from a server, on every transport. */
export const maxMessageBytes = 16_777_216
