import type { RequestOptions } from '../../../client/client-request.ts'
import type { ClientHost, ClientPart } from '../../../client/extension.ts'
import type { ReadResourceResult, Tool } from '../../../model/types.ts'
import { McpError } from '../../../wire/errors.ts'
import { resolveKnownLimits } from '../../../wire/resolve-limits.ts'
import { type AppLimits, appLimits } from '../app-limits.ts'
import { viewMimeType } from '../app-meta.ts'
import { viewUriOf } from '../tool-meta.ts'
import { type View, viewFrom } from './view.ts'

/** Options for a client that shows views. */
export interface ClientAppOptions {
  readonly limits?: AppLimits
}

/** The views of a server. */
export interface ClientApps {
  /** Reads the view of a tool, or the one at an address, and checks that it is one. */
  view(tool: Pick<Tool, '_meta'> | string, options?: RequestOptions): Promise<View>
}

/** Shows views on a client. */
export function appClient(options: ClientAppOptions): ClientPart {
  const limits = resolveKnownLimits(appLimits, options.limits)
  return {
    settings: { mimeTypes: [viewMimeType] },
    connected: (host) => ({ client: { apps: appsOf(host, limits) } }),
  }
}

function appsOf(host: ClientHost, limits: Required<AppLimits>): ClientApps {
  return {
    async view(tool, options) {
      const uri = typeof tool === 'string' ? tool : viewUriOf(tool)
      if (!uri?.startsWith('ui://'))
        throw new McpError(
          'Misuse',
          `Cannot show a view: ${uri === undefined ? 'the tool has none' : `"${uri}" is none`}`,
        )
      const result = await host.request('resources/read', { uri }, options)
      return viewFrom(uri, result as unknown as ReadResourceResult, limits)
    },
  }
}
