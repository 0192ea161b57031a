import { type ServerKey, serverNameOf } from '../../act/server-key.ts'
import type { Asked, Inbox } from '../../inbox/inbox.ts'
import { hashOf } from '../../text/json-hash.ts'

/** Milliseconds a person has to sign in; then the page is of no use any more, and the next call asks again. */
export const signInMs = 15 * 60_000

/** Asks a person to sign in to a server on a page: one question for everything that waits for it. */
export function askToSignIn(inbox: Inbox, server: ServerKey, page: URL): Promise<Asked> {
  const { host, href } = page
  return inbox.ask({
    kind: 'sign-in',
    key: hashOf(['sign-in', server, href]),
    server: serverNameOf(server),
    target: host,
    principal: `server ${serverNameOf(server)}`,
    principalId: `server ${server}`,
    project: undefined,
    why: whySignIn(server, page),
    detail: { page: href, host },
    by: 'local',
    openMs: signInMs,
  })
}

/** Reason of a sign-in, for a person. */
export function whySignIn(server: ServerKey, { host }: URL): string {
  return `server "${serverNameOf(server)}" wants to know who you are; sign in at ${host}`
}
