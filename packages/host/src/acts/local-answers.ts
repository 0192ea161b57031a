import { pathToFileURL } from 'node:url'
import type { Caller, Fields, LogMessage } from '@trunkline/mcp'
import { hashOf } from '../catalogue/definition-hash.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { LocalAnswers } from '../relay/server-asks.ts'
import { type ServerKey, serverNameOf } from '../servers/server-key.ts'

/** What answers for callers that cannot be asked. */
export interface LocalAnswerParts {
  readonly inbox: Inbox
  /** Whether nobody is there to be asked. */
  readonly isUnattended: boolean
  /** A model of the host. */
  readonly sample: LocalAnswers['sample']
  /** The directory that a server works on, for a caller where one is known. */
  projectOf(server: ServerKey, caller: Caller | undefined): string | undefined
  /** What the caller is called. */
  nameOf(caller: Caller): string
  /** Adds a line to the log of a server. */
  addLine(server: ServerKey, text: string): void
}

/** Answers for callers that cannot be asked: forms and pages through the inbox, directories from the project. */
export function localAnswers(parts: LocalAnswerParts): LocalAnswers {
  const { inbox, isUnattended, sample, projectOf, nameOf, addLine } = parts
  return {
    log: (server, message) => addLine(server, logText(message)),
    async elicit(server, params, { signal, call, target }) {
      if (isUnattended) return { action: 'cancel' }
      const during = call && target !== undefined ? { target, client: nameOf(call.caller) } : undefined
      // a member of this name would be the word of the server
      const { during: _, ...asked } = params
      return elicitLocally(inbox, server, { ...asked, ...(during && { during }) }, signal)
    },
    sample,
    async roots(server, call) {
      const project = projectOf(server, call?.caller)
      return { roots: project === undefined ? [] : [{ uri: pathToFileURL(project).href, name: project }] }
    },
  }
}

/** A log message as one line. */
function logText({ level, logger, data }: LogMessage): string {
  const isLine = typeof data === 'string' && !data.includes('\n')
  const from = logger === undefined ? '' : `${logger}: `
  return `(log) ${level} ${from}${isLine ? data : JSON.stringify(data)}`
}

async function elicitLocally(
  inbox: Inbox,
  server: ServerKey,
  params: Fields,
  signal: AbortSignal | undefined,
): Promise<Fields> {
  const isPage = params.mode === 'url'
  const { question, settled } = await inbox.ask({
    kind: isPage ? 'page' : 'form',
    key: hashOf([server, params, isPage ? params.url : Math.random()]),
    server: serverNameOf(server),
    target: isPage ? String(params.url) : 'form',
    principal: `server ${serverNameOf(server)}`,
    principalId: `server ${server}`,
    project: undefined,
    why: String(params.message),
    detail: params,
    by: 'local',
  })
  const withdraw = (): void => void inbox.withdraw(question.id, 'the server does not need it any more')
  signal?.addEventListener('abort', withdraw, { once: true })
  const settlement = await settled
  signal?.removeEventListener('abort', withdraw)
  if (settlement.state !== 'answered') return { action: 'cancel' }
  const { choice, content } = settlement.answer
  if (choice === 'refuse') return { action: 'decline' }
  return { action: 'accept', ...(!isPage && { content: content ?? {} }) }
}
