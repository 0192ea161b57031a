import { type System, thisSystem } from '@trunkline/base/system-programs'
import type { Store } from '../../store/store.ts'
import { callerChain } from './caller-chain.ts'
import { type ClientProgram, clientProgram, folderOf } from './client-program.ts'
import { carriesMark, mayBeLeft } from './inherited-mark.ts'
import { type SeenProcess, seeProcess, withAncestors } from './process-table.ts'
import { RememberedCallers } from './remembered-callers.ts'
import { type AcceptedSocket, processesAt, type SocketProcesses } from './socket-processes.ts'

/** The principal of `trunkline call` and its like. */
const commandName = 'command'
/** Processes that are looked at first: those that connected last. */
const maxRecent = 32
/** Credentials of one connection that are kept. */
const maxCredentials = 16

/** Reason why a process may not decide for the person: a caller started it, a server did, or it cannot be seen. */
export type NoPerson =
  | { readonly is: 'caller'; readonly pid: number; readonly name: string }
  | { readonly is: 'server' }
  | { readonly is: 'hidden' }

/** The program that a caller calls as. */
type NotedPrincipal = { readonly id: string; readonly name: string }

/** The parts of a host that have to do with processes. */
export interface ConnectedProcessesParts {
  /** The processes of servers that run now. */
  readonly servers: { readonly pids: ReadonlySet<number> }
  /** Told of a caller whose process, or one above it, called as other principals before. */
  readonly taints: { inherit(principal: string, ancestors: ReadonlySet<string>): Promise<void> }
  /** The system whose processes are looked at. @default the one that this process runs on */
  readonly system?: System
}

/** Finds the projects of directories. */
export interface ProjectFinder {
  rootsOf(folders: readonly string[]): Promise<readonly string[]>
}

/** Tells of each connection to the host which processes are at its other end; each is looked at once. */
export class ConnectedProcesses {
  /** The processes that called lately. */
  readonly callers: RememberedCallers
  readonly #loaded: Promise<void>
  readonly #parts: ConnectedProcessesParts
  readonly #finder: ProjectFinder | undefined
  readonly #system: System
  readonly #processes = new WeakMap<object, Promise<SocketProcesses>>()
  readonly #projects = new WeakMap<object, readonly string[]>()
  #recent: readonly number[] = []
  readonly #ofServers = new WeakMap<object, Promise<boolean>>()
  /** Credentials shown on each connection, and whether their caller is remembered. */
  readonly #callers = new WeakMap<object, Map<string, Promise<boolean> | true>>()

  constructor(store: Store, parts: ConnectedProcessesParts, finder?: ProjectFinder) {
    this.callers = new RememberedCallers(store)
    this.#loaded = this.callers.load()
    // a store that cannot be read is reported by the callers that wait for it
    this.#loaded.catch(() => {})
    this.#parts = parts
    this.#finder = finder
    this.#system = parts.system ?? thisSystem
  }

  /** The processes at the other end. */
  at(socket: AcceptedSocket): Promise<SocketProcesses> {
    const known = this.#processes.get(socket)
    if (known) return known
    const found = this.#find(socket)
    this.#processes.set(socket, found)
    return found
  }

  async #find(socket: AcceptedSocket): Promise<SocketProcesses> {
    const found = await processesAt(socket, [process.pid, ...this.#recent], this.#system)
    for (const pid of found.is === 'seen' ? found.pids : []) {
      // the last one is the likeliest to connect again
      this.#recent = [pid, ...this.#recent.filter((one) => one !== pid)].slice(0, maxRecent)
    }
    return found
  }

  /** True if the caller at the other end is remembered already, so that there is nothing to wait for. */
  isNoted(socket: AcceptedSocket, credential: string): boolean {
    return this.#callers.get(socket)?.get(credential) === true
  }

  /** Remembers the caller at the other end; false where it closed the connection before it was seen. */
  async note(socket: AcceptedSocket, credential: string, principal: NotedPrincipal): Promise<boolean> {
    const shown = this.#callers.get(socket) ?? new Map<string, Promise<boolean> | true>()
    this.#callers.set(socket, shown)
    const noting = shown.get(credential) ?? this.#note(socket, principal)
    // one connection shows few; a program that shows more is looked at each time
    if (shown.size < maxCredentials) shown.set(credential, noting)
    if (!(await noting)) return false
    if (shown.has(credential)) shown.set(credential, true)
    return true
  }

  async #note(socket: AcceptedSocket, { id, name }: NotedPrincipal): Promise<boolean> {
    await this.#loaded
    const found = await this.at(socket)
    if (found.is === 'gone') return false
    for (const pid of found.is === 'seen' ? found.pids : []) {
      if (pid === process.pid) continue
      const system = this.#system
      await this.#parts.taints.inherit(id, this.callers.principalsAbove(await withAncestors(pid, system)))
      await this.callers.remember(await callerChain(pid, { withoutCommand: name === commandName, system }), id)
      await this.#findProjects(socket, pid)
    }
    return true
  }

  /** Reason why the process at the other end may not decide for the person; undefined if it may. */
  async noPersonAt(socket: AcceptedSocket): Promise<NoPerson | undefined> {
    await this.#loaded
    const found = await this.at(socket)
    if (found.is === 'hidden' || found.is === 'gone') return { is: 'hidden' }
    let isHidden = false
    for (const pid of found.is === 'seen' ? found.pids : []) {
      if (pid === process.pid) continue
      const line = await withAncestors(pid, this.#system)
      if (await this.#isOfServer(line)) return { is: 'server' }
      // processes that the host itself started, such as a browser, are no caller's
      const own = line.findIndex((one) => one.pid === process.pid)
      const caller = await this.callers.aboveAny(own < 0 ? line : line.slice(0, own))
      if (caller) return { is: 'caller', pid: caller.pid, name: caller.name }
      // what is known of another one says more
      isHidden ||= line.length === 0 || (await mayBeLeft(line, this.#system))
    }
    return isHidden ? { is: 'hidden' } : undefined
  }

  /** The projects that the caller at the other end works in, once it is remembered. */
  projectsAt(socket: AcceptedSocket): readonly string[] | undefined {
    return this.#projects.get(socket)
  }

  /** Notes the projects of a caller and those above it; the directory of a person's shell says nothing of their intent. */
  async #findProjects(socket: AcceptedSocket, pid: number): Promise<void> {
    if (!this.#finder) return
    const callers = (await withAncestors(pid, this.#system)).filter(
      (one) => this.callers.principalsAbove([one]).size > 0,
    )
    const folders = await Promise.all(callers.map((one) => folderOf(one.pid, this.#system)))
    const known = this.#projects.get(socket) ?? []
    const found = await this.#finder.rootsOf(folders.filter((folder) => folder !== undefined))
    this.#projects.set(socket, [...new Set([...known, ...found])])
  }

  /** The program that started the bridge at the other end; undefined where it cannot be seen. */
  async clientAt(socket: AcceptedSocket): Promise<ClientProgram | undefined> {
    const found = await this.at(socket)
    const [pid] = found.is === 'seen' ? found.pids : []
    return pid === undefined ? undefined : clientProgram(pid, this.#system)
  }

  /** True if a process at the other end has a terminal, or if the system does not tell. */
  async hasTerminalAt(socket: AcceptedSocket): Promise<boolean> {
    const found = await this.at(socket)
    if (found.is !== 'seen') return found.is === 'unknown'
    if (found.pids.includes(process.pid)) return true
    const seen = await Promise.all(found.pids.map((pid) => seeProcess(pid, this.#system)))
    return seen.some((one) => one?.hasTerminal)
  }

  /** True if a server of this host, or a process that one started, is at the other end. */
  isServerAt(socket: AcceptedSocket): Promise<boolean> {
    const known = this.#ofServers.get(socket) ?? this.#isServerAt(socket)
    this.#ofServers.set(socket, known)
    return known
  }

  async #isServerAt(socket: AcceptedSocket): Promise<boolean> {
    const found = await this.at(socket)
    for (const pid of found.is === 'seen' ? found.pids : []) {
      if (pid !== process.pid && (await this.#isOfServer(await withAncestors(pid, this.#system)))) return true
    }
    return false
  }

  /** Known by its parents, its process group, and the mark of this host that processes of a server inherit. */
  async #isOfServer(line: readonly SeenProcess[]): Promise<boolean> {
    const servers = this.#parts.servers.pids
    for (const { pid, group, session } of line) {
      if (pid === process.pid) return false
      if ([pid, group, session].some((one) => servers.has(one)) || (await carriesMark(pid, this.#system))) return true
    }
    return false
  }
}
