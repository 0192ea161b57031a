import type { Tool } from '../../model/types.ts'
import { isObject } from '../../wire/messages.ts'
import type { ToolVisibility } from './app-meta.ts'

/** The view that shows what a tool returns, if it has one. */
export function viewUriOf({ _meta }: Pick<Tool, '_meta'>): string | undefined {
  const ui = _meta?.ui
  // servers from before the text was settled put it beside instead of inside
  const uri = (isObject(ui) ? ui.resourceUri : undefined) ?? _meta?.['ui/resourceUri']
  return typeof uri === 'string' && uri.startsWith('ui://') ? uri : undefined
}

/** True if a model may be shown a tool and call it. */
export function isForModel(tool: Pick<Tool, '_meta'>): boolean {
  return visibilityOf(tool).includes('model')
}

/** True if a view of the same server may call a tool. */
export function isForApp(tool: Pick<Tool, '_meta'>): boolean {
  return visibilityOf(tool).includes('app')
}

function visibilityOf({ _meta }: Pick<Tool, '_meta'>): ToolVisibility {
  const visibility = isObject(_meta?.ui) ? _meta.ui.visibility : undefined
  if (visibility === undefined) return ['model', 'app']
  // an unreadable value allows nothing
  return Array.isArray(visibility) ? visibility : []
}
