import { type Mutation, mutationsOf } from '../../mutation.ts'

const remembered = 'src/gateway/processes/remembered-callers.ts'
const chain = 'src/gateway/processes/caller-chain.ts'
const callers = ['src/gateway/processes/remembered-callers.test.ts']
const selfApproval = ['packages/cli/test/host/self-approval.test.ts']
const acceptance = ['src/trust/client-acceptance.test.ts']

/** Programs that call, and may not decide for the person; names of clients, which are no identity. */
export const callersAndClients: readonly Mutation[] = mutationsOf('host', [
  {
    breaks: 'the end of the host forgets who called',
    file: remembered,
    from: 'for (const one of this.#table.all()) this.#keep(one)\n',
    to: '\n',
    noticedBy: callers,
  },
  {
    breaks: 'what a caller started is no caller',
    file: remembered,
    from: 'for (const seen of line) {',
    to: 'for (const seen of line.slice(0, 1)) {',
    noticedBy: callers,
  },
  {
    breaks: 'what a caller started is no caller once its parent ended',
    file: remembered,
    from: '      if (led) return led\n',
    to: '',
    noticedBy: callers,
  },
  {
    breaks: 'a later process with the number of a caller is one',
    file: remembered,
    from: 'this.#current(seen.pid).find((one) => one.startedAt === seen.startedAt)',
    to: 'this.#current(seen.pid).at(0)',
    noticedBy: callers,
  },
  {
    breaks: 'callers are remembered for ever',
    file: remembered,
    from: 'filter(({ seenAt }) => seenAt >= oldest)',
    to: 'filter(({ seenAt }) => seenAt >= Math.min(oldest, 0))',
    noticedBy: callers,
  },
  {
    breaks: 'callers are remembered without end',
    file: remembered,
    from: 'if (this.#size <= this.#options.maxProcesses) break',
    to: 'if (this.#size > 0) break',
    noticedBy: callers,
  },
  {
    breaks: 'a client behind a script is not its caller',
    file: chain,
    from: 'if (isWrapper(last)) return !opensTerminal || isWrapper(parent)',
    to: 'if (isWrapper(last)) return false',
    noticedBy: callers,
  },
  {
    breaks: 'a program is taken for the bridge because its arguments name one',
    file: chain,
    from: "const at = runtimes.test(basename(words[0] ?? '')) ? scriptAt(words) : 0",
    to: 'const at = words.findIndex((word) => /trunkline(?:\\.js)?$/.test(word))',
    noticedBy: callers,
  },
  {
    breaks: 'the command itself counts as a caller where a person is asked in place',
    file: chain,
    from: 'if (!withoutCommand || !isOwnCommand(connected)',
    to: 'if (withoutCommand || !isOwnCommand(connected)',
    noticedBy: callers,
  },
  {
    breaks: 'a caller decides',
    file: 'src/api/require-person.ts',
    from: 'if (!found) return undefined',
    to: "if (!found || found.is === 'caller') return undefined",
    noticedBy: selfApproval,
  },
  {
    breaks: 'a caller that closed its connection is forgotten',
    file: 'src/gateway/processes/connected-processes.ts',
    from: 'await this.callers.remember(',
    to: 'void (',
    noticedBy: selfApproval,
  },
  {
    breaks: 'a server uses the API',
    file: 'src/api/http-api.ts',
    from: 'if (await this.#services.host.connections.isServerAt(socket)) {',
    to: 'if (socket.remotePort === -1) {',
    noticedBy: ['test/threats/api-door.test.ts'],
  },
  {
    breaks: 'any program may start a client that is known',
    file: 'src/trust/client-acceptance.ts',
    from: 'some(({ key }) => key === keyOf(program))',
    to: 'some(({ key }) => key !== keyOf(undefined) || program)',
    noticedBy: acceptance,
  },
  {
    breaks: 'a client that was never added is taken',
    file: 'src/trust/client-acceptance.ts',
    from: 'return (await this.#options.isInstalled?.(name)) ?? false',
    to: 'return (await this.#options.isInstalled?.(name)) !== undefined',
    noticedBy: acceptance,
  },
  {
    breaks: 'a client is another one after each update of its program',
    file: 'src/gateway/processes/client-program.ts',
    from: "    .replace(/v?\\d+(?:\\.\\d+)+(?:[-+_][0-9A-Za-z.]+)*/g, '*')",
    to: '',
    noticedBy: ['src/gateway/processes/client-program.test.ts'],
  },
  {
    breaks: 'a principal inherits only what the one before it has read',
    file: 'src/policy/taint-heirs.ts',
    from: '        open.push(ancestor)\n',
    to: '',
    noticedBy: ['src/policy/taint-heirs.test.ts'],
  },
  {
    breaks: 'what a principal inherits is kept without end',
    file: 'src/policy/taint-heirs.ts',
    from: 'this.#table.prune(at - this.#maxAgeMs, maxLinks)',
    to: 'this.#table.prune(at - this.#maxAgeMs, maxLinks * 1_000)',
    noticedBy: ['src/policy/taint-heirs.test.ts'],
  },
  {
    breaks: 'a fresh name has read nothing',
    file: 'src/gateway/processes/connected-processes.ts',
    from: 'await this.#parts.taints.inherit(id, this.callers.principalsAbove(await withAncestors(pid, system)))',
    to: '',
    noticedBy: ['src/gateway/processes/connected-processes.test.ts'],
  },
  {
    breaks: 'on macOS, a process that a server may have left decides',
    file: 'src/gateway/processes/connected-processes.ts',
    from: 'isHidden ||= line.length === 0 || (await mayBeLeft(line, this.#system))',
    to: '',
    noticedBy: ['src/gateway/processes/macos.test.ts'],
  },
  {
    breaks: 'on macOS, a connection of which nothing is told is trusted',
    file: 'src/gateway/processes/socket-processes.ts',
    from: "to: localPort })\n  return pids.length > 0 ? { is: 'seen', pids } : { is: 'hidden' }",
    to: "to: localPort })\n  return pids.length > 0 ? { is: 'seen', pids } : { is: 'unknown' }",
    noticedBy: ['src/gateway/processes/macos.test.ts'],
  },
])
