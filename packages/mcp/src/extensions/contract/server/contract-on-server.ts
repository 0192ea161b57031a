import type { ServerHost, ServerPart } from '../../../server/extension.ts'
import { resolveKnownLimits } from '../../../wire/resolve-limits.ts'
import { contractLimits } from '../contract-limits.ts'
import { settingsUri } from '../setting-report.ts'
import { signalMethod } from '../signal-method.ts'
import { contractId } from '../terms.ts'
import { contractFields, toolTermsOf } from '../tool-terms.ts'
import { checkTurnArguments } from './concurrency.ts'
import { ContractCalls, type KeptTool } from './contract-calls.ts'
import type { PreviewHandler } from './preview.ts'
import type { ServerContractOptions } from './server-contract-options.ts'
import type { ServerSettings } from './settings.ts'
import { SignalledCalls } from './signals.ts'
import { offerSpills } from './spill-resource.ts'
import { Spills } from './spills.ts'

/** The server side of the contract. */
export function contractServer(host: ServerHost, options: ServerContractOptions): ServerPart {
  const limits = resolveKnownLimits(contractLimits, options.limits)
  const spills = options.spill ? new Spills(limits) : undefined
  const signalled = new SignalledCalls()
  if (spills) offerSpills(host, spills, limits.maxReadBytes)
  if (options.settings) offerSettings(host, options.settings)
  const calls = new ContractCalls({ host, options, limits, spills, signalled })
  return {
    settings: {
      ...(options.requires && { requires: options.requires }),
      ...(options.updates && { updates: options.updates }),
    },
    fields: contractFields,
    tool(name, definition) {
      const terms = toolTermsOf(name, definition)
      if (!terms) return undefined
      checkTurnArguments(name, terms.concurrency, definition)
      const keep: KeptTool = { terms, preview: definition.preview as PreviewHandler | undefined }
      return { keep, listed: { _meta: { [contractId]: terms } } }
    },
    serve: { [signalMethod]: (request) => signalled.serve(request) },
    intercept: (next) => (request) => (request.method === 'tools/call' ? calls.serve(request, next) : next(request)),
    innermost: true,
    runs: (request) => calls.governs(request),
    run: (next) => (call) => calls.run(call, next),
    finished: (request, result) => calls.finished(request, result),
    failed: (request, error) => calls.failed(request, error),
    context: calls.context(),
    async close() {
      await spills?.close()
    },
  }
}

/** Offers a resource that says what the settings are, and where each came from. */
function offerSettings({ offers }: ServerHost, settings: ServerSettings): void {
  offers.resource(
    settingsUri,
    {
      name: 'settings',
      description: 'The settings of this server, and where each of them came from',
      mimeType: 'application/json',
    },
    () => JSON.stringify({ settings: settings.explain() }),
  )
}
