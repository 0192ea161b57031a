import { noSuchOf } from '../failure/no-such.ts'
import type { HostLink } from './host-link.ts'

/** Refuses a name that no server of the host has, with the near one. */
export async function refuseUnknownServer({ call }: HostLink, server: string): Promise<void> {
  const names = (await call('servers')).items.map(({ name }) => name)
  if (!names.includes(server)) throw await noSuchOf(`There is no server "${server}"`, server, names)
}
