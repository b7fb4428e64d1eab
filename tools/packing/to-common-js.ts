const DEFAULT_IMPORT = /^import (\w+) from ("[^"]+");$/gm;
const NAMED_IMPORT = /^import \{([^}]+)\} from ("[^"]+");$/gm;

/**
 * Rewrites a program of ES modules as a CommonJS reader would: each `import` becomes a `require`, and what follows, which
 * may await, an async function. Refuses: Error for an import of another form.
 */
export function toCommonJs(program: string): string {
  const required = program
    .replace(DEFAULT_IMPORT, "const $1 = require($2);")
    .replace(NAMED_IMPORT, (_whole, names: string, from: string) => {
      return `const {${names.replaceAll(" as ", ": ")}} = require(${from});`;
    });
  if (/^(?:import|export) /m.test(required)) throw new Error(`this program cannot be CommonJS:\n${program}`);
  return `(async () => {\n${required}\n})();\n`;
}
