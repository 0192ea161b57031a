import { McpError } from '@trunkline/mcp'

const oldestRelease = 7

/** Refuses a server by its answer to `INFO`: one that is too old, that evicts keys, or on which the steps cannot run. */
export function assertUsable(info: string): void {
  const facts = new Map(info.split('\r\n').map((line) => line.split(':', 2) as [string, string | undefined]))
  const version = facts.get('valkey_version') ?? facts.get('redis_version') ?? ''
  if (!(Number.parseInt(version, 10) >= oldestRelease))
    throw refusal(`version ${JSON.stringify(version)} is too old; give Redis or Valkey ${oldestRelease} or newer`)
  const mode = facts.get('redis_mode')
  if (mode !== 'standalone')
    throw refusal(`its mode is "${mode}"; give the address of one primary in mode "standalone"`)
  if (facts.get('role') !== 'master')
    throw refusal('it is a replica, which takes no writes; give the address of the primary')
  const policy = facts.get('maxmemory_policy')
  if (policy !== 'noeviction')
    throw refusal(
      `its maxmemory-policy is "${policy}", so that it may delete live sessions; set it to "noeviction", or give another Redis`,
    )
}

function refusal(reason: string): McpError {
  return new McpError('Store', `Cannot use Redis: ${reason}`)
}
