/** The files of a person who uses every client, by their paths below the home directory; `shop` is a project. */
export const sampleHome = {
  '.claude.json': `{
  "numStartups": 34,
  "theme": "dark",
  "mcpServers": {
    "github": {
      "type": "http",
      "url": "https://api.githubcopilot.com/mcp/",
      "headers": { "Authorization": "Bearer ghp_0123456789abcdefghijklmnopqrstuvwxyz" }
    },
    "memory": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-memory"],
      "env": { "MEMORY_FILE": "\${HOME}/memory.json" },
      "timeout": 120000
    }
  },
  "projects": {
    "/home/ada/shop": {
      "allowedTools": ["Bash(ls:*)", "mcp__postgres__query"],
      "mcpServers": {
        "postgres": { "command": "uvx", "args": ["mcp-postgres", "\${DATABASE_URL:-postgres://localhost/shop}"] }
      },
      "disabledMcpServers": ["memory"],
      "history": [{ "display": "hello" }]
    }
  }
}
`,
  '.claude/settings.json': `{
  "permissions": {
    "allow": [
      "Bash(npm run test:*)",
      "mcp__memory",
      "mcp__github__get_issue",
      "mcp__*"
    ],
    "ask": ["mcp__github__create_pull_request"],
    "deny": ["mcp__github__delete_repository", "Read(./.env)"]
  }
}
`,
  'shop/.mcp.json': `{
  "mcpServers": {
    "playwright": { "command": "npx", "args": ["@playwright/mcp@latest"] },
    "internal": {
      "type": "http",
      "url": "https://\${TEAM_HOST}/mcp",
      "headersHelper": "./get-headers.sh"
    }
  }
}
`,
  'shop/.claude/settings.local.json': `{ "disabledMcpjsonServers": ["internal"] }
`,
  '.config/Claude/claude_desktop_config.json': `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "linear": {
      "command": "npx",
      "args": ["-y", "mcp-remote@latest", "https://mcp.linear.app/mcp", "--header", "Authorization: Bearer \${AUTH}", "--transport", "http-only"],
      "env": { "AUTH": "lin_api_0123456789abcdefghijklmnop" }
    },
    "files": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/notes"]
    },
    "trunkline": { "command": "npx", "args": ["-y", "trunkline", "stdio"] }
  }
}
`,
  '.config/Code/User/mcp.json': `{
	// servers for every window
	"inputs": [
		{ "type": "promptString", "id": "perplexity-key", "description": "Perplexity API Key", "password": true },
		{ "type": "command", "id": "from-command", "command": "x.y" },
	],
	"servers": {
		"perplexity": {
			"type": "stdio",
			"command": "npx",
			"args": ["-y", "server-perplexity-ask"],
			"env": { "PERPLEXITY_API_KEY": "\${input:perplexity-key}", "RETRIES": 3, "UNSET": null },
			"envFile": "\${userHome}/.perplexity.env",
			"sandboxEnabled": true,
		},
		"files": {
			"command": "npx",
			"args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/notes"],
		},
		"socket": { "type": "http", "url": "unix:///tmp/server.sock" },
	},
}
`,
  'shop/.vscode/mcp.json': `{
  "servers": {
    "shop-db": { "type": "stdio", "command": "node", "args": ["\${workspaceFolder}/tools/db.js", "\${config:shop.region}"] }
  }
}
`,
  '.cursor/mcp.json': `{
  "mcpServers": {
    "github": {
      "url": "https://api.githubcopilot.com/mcp/",
      "headers": { "Authorization": "Bearer \${env:GITHUB_TOKEN}" }
    },
    "notes": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/notes"],
      "autoApprove": ["read_file", "list_directory"],
      "disabled": false
    }
  }
}
`,
  '.cursor/permissions.json': `{ "mcpAllowlist": ["github:search_*", "nonsense"] }
`,
  '.codex/config.toml': `# my Codex
model = "best"
approval_policy = "on-request"

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
env = { LITERAL = "\${NOT_REPLACED}" }
env_vars = ["CONTEXT7_KEY"]
startup_timeout_sec = 20
tool_timeout_sec = 45.5
enabled_tools = ["resolve-library-id", "get-library-docs"]
default_tools_approval_mode = "approve"

[mcp_servers.context7.tools.get-library-docs]
approval_mode = "prompt"

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_TOKEN"
http_headers = { "X-Region" = "us-east-1" }
env_http_headers = { "X-Team" = "FIGMA_TEAM" }
enabled = false
http_headers_helper = "./x.sh"
`,
  '.gemini/settings.json': `{
  "theme": "GitHub",
  "mcp": { "excluded": ["old"] },
  "mcpServers": {
    "weather": {
      "command": "python",
      "args": ["server.py"],
      "cwd": "./weather",
      "env": { "API_KEY": "$WEATHER_KEY" },
      "timeout": 30000,
      "trust": true,
      "includeTools": ["forecast", "alerts"],
      "excludeTools": ["alerts"]
    },
    "docs": { "httpUrl": "https://docs.example.com/mcp", "headers": { "X-Key": "$DOCS_KEY" } },
    "events": { "url": "https://events.example.com/sse" },
    "old": { "command": "old" }
  }
}
`,
  '.codeium/windsurf/mcp_config.json': `{
  "mcpServers": {
    "sentry": {
      "serverUrl": "https://mcp.sentry.dev/mcp",
      "headers": { "Authorization": "Bearer \${env:SENTRY_TOKEN}" },
      "disabledTools": ["delete_project"]
    }
  }
}
`,
  '.config/opencode/opencode.jsonc': `{
  "$schema": "https://opencode.ai/config.json",
  "permission": { "bash": "ask", "everything_echo": "allow", "everything_print*": "deny" },
  "mcp": {
    // a server to try things with
    "everything": {
      "type": "local",
      "command": ["npx", "-y", "@modelcontextprotocol/server-everything"],
      "environment": { "KEY": "{env:EVERYTHING_KEY}", "FILE": "{file:~/.key}" },
      "timeout": 10000,
      "enabled": false,
    },
    "jira": { "type": "remote", "url": "https://jira.example.com/mcp", "oauth": { "clientId": "abc", "scope": "read write" } },
  },
}
`,
  '.config/zed/settings.json': `// Zed settings
{
  "theme": "One Dark",
  "agent": {
    "tool_permissions": { "default": "confirm", "tools": { "mcp:notes:write": { "default": "allow" }, "terminal": { "default": "deny" } } },
  },
  "context_servers": {
    "notes": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/notes"],
      "env": {},
    },
    "deep": { "url": "https://deep.example.com/mcp", "headers": { "X-Key": "\${NOT_REPLACED}" }, "timeout": 90 },
    // until it is repaired
    "broken": { "command": "broken", "args": [], "enabled": false },
    "mcp-server-github": { "settings": { "token": "x" } },
  },
}
`,
  '.cline/data/settings/cline_mcp_settings.json': `{
  "mcpServers": {
    "time": {
      "command": "uvx",
      "args": ["mcp-server-time"],
      "env": { "TZ": "\${env:TZ}", "LITERAL": "\${TZ}" },
      "disabled": false,
      "autoApprove": ["get_current_time"],
      "timeout": 30
    },
    "stream": { "type": "streamableHttp", "url": "https://stream.example.com/mcp", "disabled": true },
    "legacy": { "url": "https://legacy.example.com/sse" },
    "nested": { "transport": { "type": "streamableHttp", "url": "https://nested.example.com/mcp", "headers": { "A": "b" } }, "metadata": {} }
  }
}
`,
  '.junie/mcp/mcp.json': `{
  "mcpServers": {
    "youtrack": { "url": "https://youtrack.example.com/mcp", "headers": { "Authorization": "Bearer \${YOUTRACK_TOKEN}" } },
    "idea": { "command": "idea-mcp", "args": ["--stdio"], "enabled": false }
  }
}
`,
  '.copilot/mcp-config.json': `{
  "mcpServers": {
    "azure": {
      "type": "local",
      "command": "npx",
      "args": ["-y", "@azure/mcp@latest", "server", "start"],
      "env": { "AZURE_TENANT": "$AZURE_TENANT" },
      "tools": ["*"]
    },
    "learn": { "type": "http", "url": "https://learn.example.com/mcp", "tools": ["search"], "timeout": 20000 },
    "feed": { "type": "sse", "url": "https://feed.example.com/sse", "tools": ["*"] }
  }
}
`,
  '.copilot/settings.json': `{
  // kept by /mcp disable
  "disabledMcpServers": ["feed"],
}
`,
} as const
