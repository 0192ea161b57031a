import type { ServerKey } from '../../act/server-key.ts'
import type { RemoteLaunch } from '../launch.ts'
import type { ServerSpec } from '../server-spec.ts'
import type { Upstream } from '../upstream.ts'
import { removeRecords } from './secret-records.ts'
import { ServerSignIn, type SignInPage, type SignInParts } from './server-sign-in.ts'

interface Known {
  /** Settings that the sign-in was made from. */
  readonly from: string
  readonly signIn: ServerSignIn
}

/** Sign-ins of all servers. */
export class SignIns {
  readonly #parts: SignInParts
  readonly #known = new Map<string, Known>()

  constructor(parts: SignInParts) {
    this.#parts = parts
  }

  /** The sign-in of a server; undefined for a program, or if a header authenticates. */
  for({ name, launch }: ServerSpec): ServerSignIn | undefined {
    if (launch.kind !== 'remote' || hasToken(launch)) return undefined
    const from = JSON.stringify([launch.url, launch.oauth, launch.network])
    const known = this.#known.get(name)
    if (known?.from === from) return known.signIn
    known?.signIn.close()
    const signIn = new ServerSignIn(name, launch, this.#parts)
    this.#known.set(name, { from, signIn })
    return signIn
  }

  /** The page that the person has to visit for a server, if one waits. */
  page(server: ServerKey): SignInPage | undefined {
    return this.#known.get(server)?.signIn.page
  }

  /** Signs in to a server; resolves with the page to visit if there is one. */
  async signIn(server: ServerKey): Promise<SignInPage | undefined> {
    const upstream = this.#upstream(server)
    const signIn = this.for(upstream.spec)
    if (!signIn) throw new Error(`Cannot sign in to server "${server}": ${whyNot(upstream.spec)}`)
    if (signIn.page ?? upstream.isConnected) return signIn.page
    signIn.startOver()
    try {
      await upstream.restart()
      return undefined
    } catch (error) {
      const { page } = signIn
      if (page) return page
      throw error
    }
  }

  /** Deletes the account of a server, and ends the connection that was made with it. */
  async signOut(server: ServerKey): Promise<void> {
    const upstream = this.#upstream(server)
    const known = this.#known.get(server)
    await (known ? known.signIn.signOut() : removeRecords(this.#parts.secrets, server))
    await upstream.signedOut()
  }

  #upstream(server: ServerKey): Upstream {
    const upstream = this.#parts.upstream(server)
    if (!upstream) throw new Error(`Cannot find server "${server}": no such server is configured`)
    return upstream
  }

  /** Drops a removed server; its secrets stay until the person signs out. */
  forget(server: ServerKey): void {
    this.#known.get(server)?.signIn.close()
    this.#known.delete(server)
  }

  /** Number of servers with a sign-in. */
  get size(): number {
    return this.#known.size
  }

  close(): void {
    for (const { signIn } of this.#known.values()) signIn.close()
    this.#known.clear()
  }
}

function whyNot({ launch }: ServerSpec): string {
  if (launch.kind === 'unresolved') return launch.needs
  return launch.kind === 'program' ? 'it is a program on this machine' : 'a header already says who calls'
}

function hasToken({ headers }: RemoteLaunch): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}
