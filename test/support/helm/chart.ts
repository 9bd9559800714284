import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';

const root = path.resolve(import.meta.dirname, '../../..');
const CHART = 'ops/helm';
const TEMPLATES = path.join(CHART, 'templates');
/** Where Debian puts libraries for Go. */
const LIBRARIES = '/usr/share/gocode';

export type Values = { [key: string]: unknown };

/** The oldest that the chart takes, by its `kubeVersion`. */
const OLDEST_KUBERNETES = '1.27.0';

export const readChartFile = (file: string): string => readFileSync(path.join(root, CHART, file), 'utf8');
const defaults = parse(readChartFile('values.yaml')) as Values;
export const metadata = parse(readChartFile('Chart.yaml')) as {
  name: string;
  version: string;
  appVersion: string;
};

/** Whether Go and Sprig are here, with which {@link Chart} renders; CI installs them. */
export const canRender =
  spawnSync('go', ['version']).status === 0 &&
  ['github.com/Masterminds/sprig', 'sigs.k8s.io/yaml'].every((library) =>
    existsSync(path.join(LIBRARIES, 'src', library)),
  );
/** Where it is, both renderings are compared. */
export const hasHelm = spawnSync('helm', ['version']).status === 0;

const fits = new Ajv({ strict: true, allErrors: true }).compile(
  JSON.parse(readChartFile('values.schema.json')) as object,
);

/** What Helm refuses before it renders, each as `<path of the value> <what is wrong>`. */
export function valueErrors(overrides: Values): string[] {
  if (fits(merge(defaults, overrides))) return [];
  return (fits.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, ...Object.values(params).map(String)].join(' '),
  );
}

/** As Helm merges them: maps key by key, everything else as a whole, and null takes a value away. */
function merge(base: Values, overrides: Values): Values {
  const merged = { ...base };
  for (const [key, value] of Object.entries(overrides)) {
    const under = base[key];
    if (value === null) delete merged[key];
    else merged[key] = isMap(value) && isMap(under) ? merge(under, value) : value;
  }
  return merged;
}

const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The chart, rendered by Helm's template engine: render.go tells how. */
export class Chart {
  private constructor(private readonly program: string) {}

  /** @param folder for the compiled program and Go's cache */
  static compile(folder: string): Chart {
    const program = path.join(folder, 'render');
    execFileSync('go', ['build', '-o', program, path.join(import.meta.dirname, 'render.go')], {
      env: {
        ...process.env,
        GO111MODULE: 'off',
        GOPATH: LIBRARIES,
        GOCACHE: path.join(folder, 'cache'),
        GOFLAGS: '',
      },
    });
    return new Chart(program);
  }

  /** The text of each file in templates/, by its name. Values that the schema refuses are an error. */
  render(release: string, overrides: Values): Record<string, string> {
    const errors = valueErrors(overrides);
    if (errors.length > 0) throw new Error(errors.join('\n'));
    const names = readdirSync(path.join(root, TEMPLATES));
    const input = {
      templates: Object.fromEntries(names.map((name) => [name, readChartFile(`templates/${name}`)])),
      data: {
        Values: merge(defaults, overrides),
        Release: { Name: release, Namespace: 'payments', Service: 'Helm', IsInstall: true, IsUpgrade: false },
        Chart: { Name: metadata.name, Version: metadata.version, AppVersion: metadata.appVersion },
      },
    };
    const output = execFileSync(this.program, {
      input: JSON.stringify(input),
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return JSON.parse(output) as Record<string, string>;
  }

  /** The documents of all files. */
  manifests<Manifest>(release: string, overrides: Values): Manifest[] {
    return Object.entries(this.render(release, overrides))
      .filter(([name]) => name.endsWith('.yaml'))
      .flatMap(([name, text]) => documentsOf<Manifest>(name, text));
  }
}

function documentsOf<Document>(name: string, text: string): Document[] {
  return parseAllDocuments(text)
    .map((document) => {
      const [error] = document.errors;
      if (error) throw new Error(`${name}: ${error.message}`);
      return document.toJS() as Document | null;
    })
    .filter((document) => document !== null);
}

/** The same, rendered by `helm template`. */
export function manifestsByHelm<Manifest>(release: string, overrides: Values): Manifest[] {
  const args = ['template', release, path.join(root, CHART), '--namespace', 'payments', '--values', '-'];
  // A helm that was built by `go install` knows no newer Kubernetes than 1.20.
  args.push('--kube-version', OLDEST_KUBERNETES);
  return documentsOf(
    'helm template',
    execFileSync('helm', args, { input: JSON.stringify(overrides), encoding: 'utf8' }),
  );
}
