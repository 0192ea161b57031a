import type { Fields } from '@trunkline/mcp'
import type { ToolClass } from '../act/act.ts'

/** Words in a tool's name that tell its effects, whatever its annotations claim. */
const destroying =
  /^(delete|remove|drop|destroy|purge|erase|wipe|truncate|kill|reset|revoke|uninstall|unlink|rm|format)$/
const executing = /^(run|exec|execute|eval|shell|bash|sh|cmd|command|sql|query|script|spawn|invoke|apply|deploy|sudo)$/
const writing =
  /^(write|create|update|set|put|post|patch|add|insert|edit|move|rename|copy|upload|send|publish|commit|push|merge|save|store|append|replace|close|open|assign|comment|reply|install|start|stop|restart|enable|disable|import|subscribe)$/
const reading =
  /^(read|get|list|search|find|fetch|show|describe|view|count|stat|status|info|help|lookup|browse|explain|check|validate|diff|compare|export|download|echo|ping|tree|history|log|logs)$/

/**
 * The class a tool is proposed to have until a person decides. Hints never loosen the class by the name: a tool that says
 * it only reads and is called `run_sql` is `unknown`.
 */
export function proposedClass(name: string, annotations: Fields = {}): ToolClass {
  const words = wordsOf(name)
  const says = (kind: RegExp) => words.some((word) => kind.test(word))
  if (says(destroying)) return annotations.readOnlyHint === true ? 'unknown' : 'destroys'
  if (says(executing)) return annotations.destructiveHint === true ? 'destroys' : 'unknown'
  if (annotations.readOnlyHint === true) return says(writing) ? 'unknown' : 'reads'
  if (annotations.destructiveHint === true) return 'destroys'
  if (says(writing)) return 'writes'
  if (annotations.readOnlyHint === false) return 'writes'
  // a name alone is no proof that nothing is changed, yet most servers give nothing else
  return reading.test(words[0] ?? '') ? 'reads' : 'unknown'
}

/** `createIssue`, `create_issue`, `issues.create` and `CREATE-ISSUE` have the same words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}
