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
  /** The roots that the person set for a project; undefined for none. */
  rootsOf(project: string): readonly string[] | undefined
  /** Adds a line to the log of a server. */
  addLine(server: ServerKey, text: string, level: LogLevel): void
}

/** Answers requests of servers that no caller answers; roots by the settings of the project, the caller, else the project. */
export function localAnswers(parts: LocalAnswerParts): LocalAnswers {
  const { elicit, sample, projectOf, rootsOf, addLine } = parts
  return {
    log: (server, message) => addLine(server, logText(message), message.level),
    elicit,
    sample,
    async roots(params, { serverKey, call, byCaller }) {
      const project = projectOf(serverKey, call?.caller)
      const set = project === undefined ? undefined : rootsOf(project)
      if (set === undefined && byCaller) return byCaller(params)
      const folders = set ?? (project === undefined ? [] : [project])
      return { roots: folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: folder })) }
    },
  }
}

/** A log message as one line. */
function logText({ level, logger, data }: LogMessage): string {
  const isLine = typeof data === 'string' && !data.includes('\n')
  const from = logger === undefined ? '' : `${logger}: `
  return `(log) ${level} ${from}${isLine ? data : JSON.stringify(data)}`
}
