/** What somebody is told who starts a server by hand, where a client should have. */
export function servingNote(what: string): string {
  return `Serving ${what} to the client on stdin; Ctrl-C stops it. To look at it yourself, put "trunkline tools --" in front`
}
