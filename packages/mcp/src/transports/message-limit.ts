/** Bytes of one message from a server that somebody chose, whatever the transport. */
export const maxMessageBytes = 16_777_216
