import type { ClientAdds, ClientExtension } from '../../client/extension.ts'
import type { ServerExtension } from '../../server/extension.ts'
import { refuseUnknownOptions } from '../../wire/known-options.ts'
import { appsExtensionId } from '../../wire/vocabularies/apps-extension.ts'
import { appClient, type ClientAppOptions, type ClientApps } from './client/part.ts'
import { appServer } from './server/part.ts'
import type { AppToolDefinition, ServerAppOptions } from './server/server-app-options.ts'

/** Additions of apps to a server. */
export interface AppsOnServer {
  readonly tool: AppToolDefinition
  // biome-ignore lint/complexity/noBannedTypes: handlers are told nothing of views
  readonly context: {}
}

/** Additions of apps to a client. */
export interface AppsOnClient extends ClientAdds {
  readonly client: { readonly apps: ClientApps }
  // biome-ignore-start lint/complexity/noBannedTypes: nothing but the above
  readonly tools: {}
  readonly options: {}
  readonly result: {}
  // biome-ignore-end lint/complexity/noBannedTypes: nothing but the above
}

/** The views of a server, and how a client takes those of others. */
export interface AppOptions extends ServerAppOptions, ClientAppOptions {}

/** Apps as an extension of either side. */
export type AppsExtension = ServerExtension<AppsOnServer> & ClientExtension<AppsOnClient>

/** Tools with views: pages that a server brings along, and a host shows in a frame. */
export function apps(options: AppOptions = {}): AppsExtension {
  refuseUnknownOptions('Cannot offer apps', options, { views: true, limits: true })
  return {
    id: appsExtensionId,
    // most hosts that show views speak a revision that opens with a handshake
    handshake: true,
    server: (host) => appServer(host, options),
    client: () => appClient(options),
  }
}
