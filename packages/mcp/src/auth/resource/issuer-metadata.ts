import type { AuthorizationServer } from 'oauth4webapi'
import { AuthError } from '../shared/auth-error.ts'
import type { Network } from '../shared/network.ts'
import { processServerMetadata, serverMetadataLocations, serverMetadataRequest } from '../shared/server-metadata.ts'

/** The metadata of an issuer, from the first well-known location that has it. */
export async function issuerMetadata(issuer: string, network: Network): Promise<AuthorizationServer> {
  for (const location of serverMetadataLocations(issuer, network)) {
    const found = await processServerMetadata(await serverMetadataRequest(location, network), [issuer])
    if (found) return found
  }
  throw new AuthError('discovery', `Cannot check tokens: the authorization server "${issuer}" has no metadata`)
}
