import { base } from './manifest/base.ts'
import { batches } from './manifest/batches.ts'
import { capabilities } from './manifest/capabilities.ts'
import { changes } from './manifest/changes.ts'
import { content } from './manifest/content.ts'
import { control } from './manifest/control.ts'
import { elicitation } from './manifest/elicitation.ts'
import { envelope } from './manifest/envelope.ts'
import { input } from './manifest/input.ts'
import { lists } from './manifest/lists.ts'
import { logging } from './manifest/logging.ts'
import { opening } from './manifest/opening.ts'
import { prompts } from './manifest/prompts.ts'
import { resources } from './manifest/resources.ts'
import { rounds } from './manifest/rounds.ts'
import { skillsAndApps } from './manifest/skills-and-apps.ts'
import { tasks } from './manifest/tasks.ts'
import { tools } from './manifest/tools.ts'

/** The manifest by topic. */
export const topics = {
  base,
  opening,
  capabilities,
  control,
  tools,
  content,
  resources,
  prompts,
  logging,
  changes,
  lists,
  envelope,
  input,
  elicitation,
  rounds,
  batches,
  tasks,
  skillsAndApps,
} as const

/** Everything the protocol asks for, as far as it is verified here. */
export const manifest = {
  ...base,
  ...opening,
  ...capabilities,
  ...control,
  ...tools,
  ...content,
  ...resources,
  ...prompts,
  ...logging,
  ...changes,
  ...lists,
  ...envelope,
  ...input,
  ...elicitation,
  ...rounds,
  ...batches,
  ...tasks,
  ...skillsAndApps,
} as const

export type RequirementId = keyof typeof manifest
