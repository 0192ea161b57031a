/** Completion script of each shell, which asks this command for candidates; for `source <(…)`. */
export const shellScripts = {
  bash: `# completion of trunkline for bash: source <(trunkline completion bash)
_trunkline() {
  local line="\${COMP_LINE:0:COMP_POINT}" candidate about
  local word="\${line##*[[:space:]]}"
  # bash cuts words at = and : by itself, so what stands before is not repeated
  local before="\${word%"\${word##*[=:]}"}"
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate about; do
    COMPREPLY+=("\${candidate#"$before"}")
  done < <(trunkline completion --line "$line" 2>/dev/null)
}
complete -o default -o nosort -F _trunkline trunkline
`,
  zsh: `#compdef trunkline
# completion of trunkline for zsh: source <(trunkline completion zsh)
_trunkline() {
  local -a candidates
  local candidate about
  while IFS=$'\\t' read -r candidate about; do
    candidates+=("\${candidate//:/\\\\:}:$about")
  done < <(trunkline completion --line "$LBUFFER" 2>/dev/null)
  if (( \${#candidates} )); then _describe trunkline candidates; else _files; fi
}
if (( $+functions[compdef] )); then compdef _trunkline trunkline; fi
`,
  fish: `# completion of trunkline for fish: trunkline completion fish | source
function __trunkline_complete
  set -l candidates (trunkline completion --line (commandline -cp) 2>/dev/null)
  if set -q candidates[1]
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c trunkline -f -a '(__trunkline_complete)'
`,
  powershell: `# completion of trunkline for PowerShell: trunkline completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName trunkline -ScriptBlock {
  param($word, $tree, $position)
  $line = $tree.Extent.Text.PadRight($position).Substring(0, $position)
  trunkline completion --line $line 2>$null | ForEach-Object {
    $text, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $text }
    [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $about)
  }
}
`,
} as const

/** A shell that completion is for. */
export type Shell = keyof typeof shellScripts
