import type { Topic } from './topic.ts'
import { apps } from './topics/apps.ts'
import { asking } from './topics/asking.ts'
import { cancelling } from './topics/cancelling.ts'
import { changes } from './topics/changes.ts'
import { errors } from './topics/errors.ts'
import { logging } from './topics/logging.ts'
import { opening } from './topics/opening.ts'
import { pages } from './topics/pages.ts'
import { prompts } from './topics/prompts.ts'
import { resources } from './topics/resources.ts'
import { skills } from './topics/skills.ts'
import { tasks } from './topics/tasks.ts'
import { tools } from './topics/tools.ts'

/** Every topic there is a transcript of, by name. */
export const topics: { readonly [name: string]: Topic } = {
  opening,
  tools,
  asking,
  resources,
  prompts,
  logging,
  changes,
  errors,
  cancelling,
  pages,
  tasks,
  skills,
  apps,
}
