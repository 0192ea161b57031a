import { stripTypeScriptTypes } from 'node:module'

/** One edit of a package that breaks a rule, and the tests that must notice it. */
export interface Mutation {
  /** Fact once the rule is broken, as in "a page of any origin may call". */
  readonly breaks: string
  /** The package that is mutated. @default 'mcp' */
  readonly package?: MutatedPackage
  /** The source: relative to its package, or from `packages/` on for one of another package. */
  readonly file: string
  /** Text that is there exactly once. */
  readonly from: string
  readonly to: string
  /** Test files, each of which must fail: relative to the package, or from `packages/` on for those of another one. */
  readonly noticedBy: readonly string[]
  /** The threat of `docs/threats.md` whose defence it takes away. */
  readonly threat?: number
}

export type MutatedPackage = 'base' | 'mcp' | 'host' | 'cli' | 'console'

/** Every package that mutations may break. */
export const mutatedPackages: readonly MutatedPackage[] = ['base', 'mcp', 'host', 'cli', 'console']

/** A path of a mutation, relative to the root. */
export function pathOf({ package: name = 'mcp' }: Mutation, path: string): string {
  return path.startsWith('packages/') ? path : `packages/${name}/${path}`
}

/** Mutations of one package. */
export function mutationsOf(name: MutatedPackage, list: readonly Mutation[]): readonly Mutation[] {
  return list.map((mutation) => ({ ...mutation, package: name }))
}

/** The source with the edit in it; throws when the text to replace is not there exactly once. */
export function mutated(source: string, { from, to }: Mutation): string {
  const at = source.indexOf(from)
  if (at < 0) throw new Error(`there is no ${JSON.stringify(from)}`)
  if (source.indexOf(from, at + 1) >= 0) throw new Error(`${JSON.stringify(from)} is there more than once`)
  return source.slice(0, at) + to + source.slice(at + from.length)
}

/** Reason why a mutation could not be run, or would prove nothing; a source that cannot be read fails every test. */
export function problemIn(source: string, mutation: Mutation): string | undefined {
  try {
    const changed = mutated(source, mutation)
    if (changed === source) return 'the edit changes nothing'
    stripTypeScriptTypes(changed, { mode: 'strip' })
    return undefined
  } catch (error) {
    return (error as Error).message.split('\n')[0]
  }
}
