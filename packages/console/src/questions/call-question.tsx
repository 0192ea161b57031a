import { useQuery } from '@tanstack/react-query'
import type { RouteAnswer } from '@trunkline/host/page-api'
import { useState } from 'react'
import { type Question, queryClient, routeQuery } from '../host/queries.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Code } from '../parts/code.tsx'
import { Diff } from '../parts/diff.tsx'
import { Notice } from '../parts/notice.tsx'
import { prettyJson } from '../text/json.ts'
import { Time } from '../text/time.tsx'
import { AlwaysRule, type AlwaysScope } from './always-rule.tsx'
import { AnswerBar } from './answer-bar.tsx'
import { CoverageBoxes, type Covered, toggled } from './coverage-boxes.tsx'
import { EditablePart } from './editable-part.tsx'
import { abandonedWords } from './question-words.ts'
import styles from './questions.module.css'
import { SkillFacts } from './skill-facts.tsx'
import { TextChanges } from './text-changes.tsx'
import { type Decision, useAnswer } from './use-answer.ts'
import { schemaProblems, useEditedJson } from './use-edited-json.ts'

const classes = {
  reads: { tone: 'good', text: 'reads' },
  writes: { tone: 'warn', text: 'writes' },
  destroys: { tone: 'bad', text: 'destroys' },
  unknown: { tone: 'warn', text: 'may do anything' },
} as const

function scoped(scope: AlwaysScope): Pick<Decision, 'rule'> {
  return Object.keys(scope).length === 0 ? {} : { rule: scope }
}

function onceWords(isEdited: boolean, isAbandoned: boolean): string {
  const allow = isAbandoned ? 'Allow the next such call' : 'Allow once'
  return isEdited ? `${allow}, as edited` : allow
}

type OfferedRule = RouteAnswer<'questionContext'>['rule']

/** The rule for edited arguments: one that names the arguments is none for others. */
function ruleForEdited(rule: OfferedRule, destroys: boolean): OfferedRule {
  if (!rule || destroys) return undefined
  const { exact: _exact, ...ofAny } = rule
  return ofAny
}

/** May this call run? With its exact arguments, against those of the last call that ran. */
export function CallQuestion({ question }: { readonly question: Question }) {
  const { id, detail } = question
  const asked = prettyJson(detail.arguments ?? {})
  const [showsRule, setShowsRule] = useState(false)
  const [chosen, setChosen] = useState<readonly Covered[]>([])
  const contextQuery = routeQuery('questionContext', { id })
  const context = useQuery(contextQuery).data
  const coverage = context?.coverage
  const answer = useAnswer(id)
  const edit = useEditedJson(asked, (args) => schemaProblems(args, context?.definition?.inputSchema))
  const { isEdited, value, problems } = edit
  const isWrong = problems.length > 0
  const decide = (decision: Decision) =>
    answer.mutate(
      { ...decision, ...(value && { content: value }) },
      // the covered calls may have changed, and are loaded again
      { onError: () => void queryClient.invalidateQueries({ queryKey: contextQuery.queryKey }) },
    )
  const covering = (covers: readonly Covered[]) =>
    covers.length === 0 || !coverage ? {} : { covers: [...covers], seen: coverage.seen }
  const forAll = chosen.filter((one) => one === 'all-clients')
  const kind = classes[detail.class as keyof typeof classes] ?? classes.unknown
  const destroys = detail.class === 'destroys'
  const rule = isEdited ? ruleForEdited(context?.rule, destroys) : context?.rule
  return (
    <>
      {detail.kind === 'skill' ? (
        <SkillFacts detail={detail} />
      ) : (
        <EditablePart
          title={
            <>
              Arguments <Badge tone={kind.tone}>{kind.text}</Badge>
            </>
          }
          label="Arguments"
          edit={edit}
        >
          {context?.last ? (
            <>
              <p className={styles.why}>
                Compared with the last call that ran, <Time at={context.last.at} />
              </p>
              <Diff before={prettyJson(context.last.arguments)} after={asked} label="Arguments, compared" />
              <TextChanges
                before={context.last.arguments}
                after={(detail.arguments ?? {}) as Record<string, unknown>}
              />
            </>
          ) : (
            <Code text={asked} label="arguments" />
          )}
        </EditablePart>
      )}
      {isEdited && !isWrong && <Notice>The caller is told that you changed the arguments.</Notice>}
      {Array.isArray(detail.preview) && detail.preview.length > 0 && (
        <div className={styles.part}>
          <span className={styles.partTitle}>It says that it would</span>
          <Code text={detail.preview.map(String).join('\n')} label="what it would do" />
        </div>
      )}
      {destroys && context && (
        <Notice tone="bad">
          {rule
            ? 'This destroys, so it asks every time. “Always” is only for calls with these arguments.'
            : 'This destroys, so it asks every time and can only be allowed once.'}
        </Notice>
      )}
      {question.abandoned && (
        <Notice tone="warn" live>
          {abandonedWords(question.abandoned.approvalMs)}
        </Notice>
      )}
      <AnswerBar
        answer={answer}
        isRefusalSafe={destroys}
        above={
          <>
            {coverage && (
              <CoverageBoxes offered={coverage} server={question.server} chosen={chosen} onChange={setChosen} />
            )}
            {showsRule && rule && (
              <AlwaysRule
                rule={rule}
                isForAll={forAll.length > 0}
                onForAll={coverage?.clients && (() => setChosen(toggled(chosen, 'all-clients')))}
                isBusy={answer.isPending || isWrong}
                onMake={(scope) => decide({ choice: 'always', ...covering(forAll), ...scoped(scope) })}
              />
            )}
          </>
        }
      >
        <Button
          tone={destroys ? 'danger' : 'primary'}
          disabled={answer.isPending || isWrong}
          onClick={() => decide({ choice: 'once' })}
        >
          {onceWords(isEdited, question.abandoned !== undefined)}
        </Button>
        {rule && (
          <>
            {!destroys && (
              <Button
                disabled={answer.isPending || isWrong}
                onClick={() => decide({ choice: 'session', ...covering(chosen) })}
              >
                Allow for this session
              </Button>
            )}
            {coverage?.project !== undefined && (
              <Button
                disabled={answer.isPending || isWrong}
                title={coverage.project}
                onClick={() => decide({ choice: 'project', ...covering(chosen) })}
              >
                Allow in this project
              </Button>
            )}
            <Button aria-expanded={showsRule} disabled={answer.isPending} onClick={() => setShowsRule(!showsRule)}>
              Always…
            </Button>
          </>
        )}
      </AnswerBar>
    </>
  )
}
