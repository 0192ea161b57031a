import { pathToFileURL } from 'node:url'
import type { Caller, LogLevel, LogMessage } from '@trunkline/mcp'
import type { ServerKey } from '../act/server-key.ts'
import type { LocalAnswers } from '../relay/server-questions.ts'

/** Dependencies of the answers to servers. */
export interface LocalAnswerParts {
  /** Fills in forms and visits pages. */
  readonly elicit: LocalAnswers['elicit']
  /** Asks a model. */
  readonly sample: LocalAnswers['sample']
  /** The directory that a server works on, for a caller where one is known. */
  projectOf(server: ServerKey, caller: Caller | undefined): string | undefined
  /** Adds a line to the log of a server. */
  addLine(server: ServerKey, text: string, level: LogLevel): void
}

/** Answers requests of servers that no caller answers, directories from the project. */
export function localAnswers(parts: LocalAnswerParts): LocalAnswers {
  const { elicit, sample, projectOf, addLine } = parts
  return {
    log: (server, message) => addLine(server, logText(message), message.level),
    elicit,
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
