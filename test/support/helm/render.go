// Renders the templates of a Helm chart with the engine that Helm itself uses: Go's text/template with the functions of
// Sprig, and those that Helm adds and the chart calls. Helm is in neither npm nor Debian; its engine is
// (docs/decisions/0819-bundle-the-image.md#ship-a-helm-chart-rendered-by-helms-template-engine).
//
// stdin: {"templates": {"<name>": "<text>"}, "data": {"Values": {}, "Release": {}, "Chart": {}}}
// stdout: {"<name>": "<text>"}, without files whose names begin with "_", which only define templates.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type chart struct {
	Templates map[string]string
	Data      map[string]interface{}
}

func render(from chart) (map[string]string, error) {
	// A missing key is an error, where Helm renders nothing: it is a misspelled value.
	all := template.New("chart").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	for _, name := range []string{"env", "expandenv"} {
		delete(functions, name)
	}
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	functions["toJson"] = func(value interface{}) (string, error) {
		text, err := json.Marshal(value)
		return string(text), err
	}
	all.Funcs(functions)
	for name, text := range from.Templates {
		if _, err := all.New(name).Parse(text); err != nil {
			return nil, err
		}
	}
	rendered := map[string]string{}
	for name := range from.Templates {
		if strings.HasPrefix(path.Base(name), "_") {
			continue
		}
		var text bytes.Buffer
		if err := all.ExecuteTemplate(&text, name, from.Data); err != nil {
			return nil, err
		}
		rendered[name] = text.String()
	}
	return rendered, nil
}

func main() {
	var from chart
	err := json.NewDecoder(os.Stdin).Decode(&from)
	if err == nil {
		var rendered map[string]string
		if rendered, err = render(from); err == nil {
			err = json.NewEncoder(os.Stdout).Encode(rendered)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
