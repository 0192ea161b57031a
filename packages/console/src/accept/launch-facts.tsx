import type { ServerSummary } from '../host/queries.ts'
import { DescriptionList } from '../parts/description-list.tsx'
import { Notice } from '../parts/notice.tsx'
import { Said } from '../text/said.tsx'

export interface LaunchFactsProps {
  readonly folder?: string
  /** The names of the variables or headers that it is given. */
  readonly variables: readonly string[]
  /** Permissions of its sandbox; missing if it has none. */
  readonly sandbox?: string
  /** The files that it would run, with their digests. @default none are known */
  readonly runs?: readonly string[]
  /** Differences from its accepted state. @default none */
  readonly differences?: readonly string[]
  /** True for a program on this machine, false for an address elsewhere. */
  readonly isProgram: boolean
  /** True if it cannot be accepted yet, so that nothing is said of the rights it gets. @default false */
  readonly isWaiting?: boolean
  /** True if others stand beside it, and what they all mean is said once. @default false */
  readonly isOneOfMany?: boolean
}

/** Facts of a server as the host tells of it. */
export function launchOf({ folder, variables, sandbox, runs, differences, isRemote }: ServerSummary): LaunchFactsProps {
  return {
    ...(folder !== undefined && { folder }),
    ...(sandbox !== undefined && { sandbox }),
    ...(runs && { runs }),
    ...(differences && { differences }),
    variables,
    isProgram: !isRemote,
  }
}

/** Facts that a person accepts besides the command, and the rights it gets by that. */
export function LaunchFacts({
  folder,
  variables,
  sandbox,
  runs = [],
  differences = [],
  isProgram,
  isWaiting = false,
  isOneOfMany = false,
}: LaunchFactsProps) {
  return (
    <>
      <DescriptionList>
        {folder !== undefined && (
          <>
            <dt>Directory</dt>
            <dd>
              <Said text={folder} />
            </dd>
          </>
        )}
        <dt>{isProgram ? 'Variables' : 'Headers'}</dt>
        <dd>
          <Said text={variables.join(', ') || 'none'} />
        </dd>
        {isProgram && !isWaiting && (
          <>
            <dt>Isolation</dt>
            <dd>
              <Said text={sandbox ?? 'none'} />
            </dd>
          </>
        )}
        {runs.length > 0 && (
          <>
            <dt>Files</dt>
            {runs.map((line) => (
              <dd key={line}>
                <Said text={line} />
              </dd>
            ))}
          </>
        )}
      </DescriptionList>
      {differences.map((line) => (
        <Notice key={line} tone="warn">
          Not as you accepted it: <Said text={line} />
        </Notice>
      ))}
      {!isWaiting && !isOneOfMany && (
        <Notice {...(isProgram && sandbox === undefined && { tone: 'warn' as const })}>
          {rights(isProgram, sandbox !== undefined)} Accepting also pins the tools it offers.
        </Notice>
      )}
    </>
  )
}

function rights(isProgram: boolean, isConfined: boolean): string {
  if (!isProgram) return 'It runs elsewhere: what you send it leaves this machine.'
  return isConfined
    ? 'It can read what you can read, and write only what its sandbox names.'
    : 'It runs with your rights: it can read and write your files and use your network.'
}
