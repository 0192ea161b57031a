/** Note for a person who starts a server by hand instead of from a client. */
export function servingNote(what: string): string {
  return `Serving ${what} to the client on stdin; Ctrl-C stops it. To look at it yourself, put "trunkline tools --" in front`
}
