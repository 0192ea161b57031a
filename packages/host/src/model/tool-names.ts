import { createHash } from 'node:crypto'

/** Names that every provider accepts. */
const taken = /^[A-Za-z0-9_-]{1,64}$/

/** Names of tools for a model, translated both ways. */
export interface ToolNames {
  toModel(name: string): string
  /** The name that a model meant; one it made up stays as it is. */
  fromModel(name: string): string
}

/** Gives every tool a name that all providers take; a name that they take stays. */
export function toolNames(names: readonly string[]): ToolNames {
  const told = new Map(names.map((name) => [name, taken.test(name) ? name : marked(name)]))
  const meant = new Map([...told].map(([name, short]) => [short, name]))
  return { toModel: (name) => told.get(name) ?? marked(name), fromModel: (name) => meant.get(name) ?? name }
}

function marked(name: string): string {
  if (taken.test(name)) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 55)}_${digest}`
}
