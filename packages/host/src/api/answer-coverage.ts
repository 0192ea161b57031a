import type { z } from 'zod'
import { type ServerKey, serverKey, serverNameOf } from '../act/server-key.ts'
import type { Host } from '../assembly/host.ts'
import { isOwnProgram } from '../gateway/principals/principals.ts'
import type { Coverage, CoveredClient, CoveredTool } from '../inbox/coverage.ts'
import type { Question } from '../inbox/question.ts'
import { hashOf } from '../text/json-hash.ts'
import { ApiError } from './api-error.ts'
import type * as s from './inbox-schemas.ts'

/** Tools that one answer covers; a server with more of them is asked about tool by tool. */
const maxTools = 200
/** Clients that one answer covers; a person with more of them is asked about each. */
const maxClients = 50

/** Everything that the answer to a question can cover besides the tool and the client that it was asked for. */
interface OfferedCoverage extends Coverage {
  readonly project: string | undefined
}

type CoverageParts = Pick<Host, 'specs' | 'catalogue' | 'principals'>

/** Further tools and clients that the answer to a question can cover; undefined for calls that destroy, which ask every time. */
export function coverageOf(question: Question, parts: CoverageParts): OfferedCoverage | undefined {
  const { kind, detail, project } = question
  if (kind !== 'call' || detail.class === 'destroys') return undefined
  const tools = detail.class === 'writes' ? writingTools(question, parts) : []
  const clients = clientsOf(question, parts)
  return {
    ...(tools.length > 1 && tools.length <= maxTools && { tools }),
    ...(clients.length > 1 && clients.length <= maxClients && { clients }),
    project,
  }
}

/** The coverage for a person: names, with a digest of the tools and clients behind them. */
export function shownCoverage(
  offered: OfferedCoverage,
): NonNullable<z.output<typeof s.questionBackground>['coverage']> {
  const { tools, clients, project } = offered
  return {
    ...(tools && { tools: tools.map(({ name }) => name) }),
    ...(clients && { clients: clients.map(({ name }) => name) }),
    ...(project !== undefined && { project }),
    seen: hashOf([tools ?? [], clients ?? []]),
  }
}

/** The tools and clients that a person chose, provided that they are still those that were shown. */
export function chosenCoverage(
  question: Question,
  { covers = [], seen }: Pick<z.output<typeof s.answer>, 'covers' | 'seen'>,
  parts: CoverageParts,
): Coverage | undefined {
  if (covers.length === 0) return undefined
  const offered = coverageOf(question, parts)
  if (!offered) throw new ApiError(403, 'An answer to this question covers nothing else')
  if (shownCoverage(offered).seen !== seen) {
    throw new ApiError(409, 'What this answer would cover changed meanwhile; look at it again')
  }
  const [tools, clients] = [covers.includes('writing-tools'), covers.includes('all-clients')]
  if ((tools && !offered.tools) || (clients && !offered.clients)) {
    throw new ApiError(403, `An answer to this question does not cover ${covers.join(' and ')}`)
  }
  return {
    ...(tools && offered.tools && { tools: offered.tools }),
    ...(clients && offered.clients && { clients: offered.clients }),
  }
}

/** Accepted tools of the server that write; changed and new ones are not among them. */
function writingTools(question: Question, parts: CoverageParts): readonly CoveredTool[] {
  return parts.catalogue
    .entries(questionServerKey(question, parts))
    .filter(
      ({ kind, class: toolClass, standing }) => kind === 'tool' && toolClass === 'writes' && standing === 'usable',
    )
    .map(({ original: name, hash: definition }) => ({ name, definition }))
}

/** The client that asks, and all that the person has accepted; parts of the host are no clients. */
function clientsOf({ principal, principalId }: Question, { principals }: CoverageParts): readonly CoveredClient[] {
  const others = principals.all().filter(({ id, name }) => id !== principalId && !isOwnProgram(name))
  return [{ id: principalId, name: principal }, ...others.map(({ id, name }) => ({ id, name }))]
}

/** The key of the server that a question is about, in the project of the client that asks. */
export function questionServerKey({ server, project }: Question, { specs }: Pick<Host, 'specs'>): ServerKey {
  const named = specs.filter(({ name }) => serverNameOf(name) === server)
  return (named.find((spec) => spec.project === project) ?? named[0])?.name ?? serverKey(server)
}
