import { lowestMajor, type MissingNeed, missingNeed, unknownHost } from '@trunkline/host/requirements'
import type { Requirements } from '@trunkline/mcp/contract'
import type { SpawnTarget } from '@trunkline/mcp/stdio'
import { type Finding, shellWord } from './finding.ts'

/** First requirement of a server that is missing; undefined if none is. */
export async function lackingNeed(
  requires: Requirements,
  target: SpawnTarget,
  variableIsMissing: (name: string) => Finding,
): Promise<Finding | undefined> {
  const missing = (await missingNeed(requires, target)) ?? (await unknownHost(requires))
  if (!missing) return undefined
  return missing.kind === 'variable' ? variableIsMissing(missing.name) : findingOf(missing)
}

function findingOf({ kind, name, range = '', line }: MissingNeed): Finding {
  if (kind === 'file') return { cause: 'file', line, command: `ls -l ${shellWord(name)}` }
  if (kind === 'program') return { cause: 'no binary', line, command: `command -v ${shellWord(name)}` }
  if (kind === 'host') return { cause: 'DNS', line, command: `getent hosts ${shellWord(name)}` }
  if (name !== 'node') return { cause: 'version', line, command: `${shellWord(name)} --version` }
  return { cause: 'wrong Node', line, command: `npm install --global node@${lowestMajor(range) ?? 'latest'}` }
}
