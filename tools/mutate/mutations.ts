import { hostAreas } from './host-areas.ts'
import { authorization } from './list/authorization.ts'
import { client } from './list/client.ts'
import { definitions } from './list/definitions.ts'
import { edge } from './list/edge.ts'
import { extensions } from './list/extensions.ts'
import { fetchFace } from './list/fetch.ts'
import { messages } from './list/messages.ts'
import { processes } from './list/processes.ts'
import { sessions } from './list/sessions.ts'
import { tasks } from './list/tasks.ts'
import type { Mutation } from './mutation.ts'

/** Every mutation: of the library by the part that it breaks, then those of host and command. */
export const mutations: readonly Mutation[] = [
  ...edge,
  ...fetchFace,
  ...sessions,
  ...messages,
  ...client,
  ...processes,
  ...authorization,
  ...definitions,
  ...extensions,
  ...tasks,
  ...Object.values(hostAreas).flat(),
]
