import { seeProcess } from '../gateway/processes/process-table.ts'
import { type AcceptedSocket, processesAt } from '../gateway/processes/socket-processes.ts'
import type { TerminalProcess } from '../inbox/proof/tickets.ts'

/**
 * The only process at the other end of a connection, and the terminal it runs in; undefined if it has no terminal, shares
 * the connection with another one, or cannot be seen.
 */
export async function terminalAt(socket: AcceptedSocket): Promise<TerminalProcess | undefined> {
  const found = await processesAt(socket)
  const [pid, ...others] = found.is === 'seen' ? found.pids : []
  if (pid === undefined || others.length > 0) return undefined
  const seen = await seeProcess(pid)
  if (!seen || seen.terminal === '') return undefined
  const { startedAt, terminal, session } = seen
  return { pid, startedAt, terminal, session }
}
