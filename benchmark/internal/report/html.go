package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"example.com/greet/benchmark/internal/report/plot"
	"example.com/greet/benchmark/internal/result"
)

//go:embed html.tmpl
var htmlText string

//go:embed html.css
var htmlCSS string

//go:embed html.js
var htmlJS string

var htmlTemplate = template.Must(template.New("html").Funcs(template.FuncMap{
	"spans": spans, "capital": capital, "first": firstOrder, "slug": slug,
	"joined": func(facts []string) string { return capital(strings.Join(facts, " · ")) },
}).Parse(htmlText))

// page is what the template sees.
type page struct {
	Report
	CSS        template.CSS
	Markers    template.HTML
	Answers    []htmlAnswer
	Understood string
	Best       *table // each language or library, by the first answer
	JS         template.JS
	Command    string
	Conditions []string // see conditions
	Remarks    []string
	Standing   standing
	Facts      []fact
	// Libraries say which modules stand behind the stacks' names.
	Libraries []fact
	Sections  []section
}

// section is what a page shows of one scenario.
type section struct {
	Name    string
	About   string
	Answers []htmlAnswer
	Figures []htmlFigure
	Tables  []table
}

type htmlFigure struct {
	Name   string
	SVG    template.HTML
	Legend []plot.Legend
}

// HTML writes the report as one self-contained page. Its tables can be sorted; without scripts they
// are still tables.
func HTML(w io.Writer, r Report) error {
	p := page{
		Report: r, CSS: template.CSS(htmlCSS + plot.CSS), Markers: plot.Markers, JS: template.JS(htmlJS),
		Command: reproduce(r.Environment), Understood: r.understood(),
		Conditions: conditions(r), Remarks: remarksOn(r), Standing: r.standing(), Facts: facts(r), Libraries: libraryFacts(r),
	}
	var err error
	headline := r.headline()
	if p.Answers, err = newHTMLAnswers(headline); err != nil {
		return err
	}
	if len(headline) > 0 {
		p.Best = new(headline[0].table())
	}
	if p.Sections, err = r.sections(headline); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := htmlTemplate.Execute(&b, p); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// sections are the scenarios, without what the headline says.
func (r Report) sections(headline []answer) ([]section, error) {
	var sections []section
	for _, scenario := range r.scenarios() {
		s := section{Name: scenario, About: r.layoutOf(scenario).About, Tables: r.tablesOf(scenario)}
		var err error
		if s.Answers, err = newHTMLAnswers(r.answers(scenario)); err != nil {
			return nil, err
		}
		if len(headline) > 0 && headline[0].cases[0].Case.Scenario == scenario {
			s.Answers = pictures(s.Answers[1:])
		}
		for _, f := range r.chartsOf(scenario) {
			drawn, err := newHTMLFigure(f)
			if err != nil {
				return nil, err
			}
			s.Figures = append(s.Figures, drawn)
		}
		sections = append(sections, s)
	}
	return sections, nil
}

func newHTMLFigure(f plot.Figure) (htmlFigure, error) {
	svg, err := f.Inline()
	return htmlFigure{f.Name, svg, f.Legend()}, err
}

// htmlAnswer is a sentence with its picture.
type htmlAnswer struct {
	Says, Context string
	Figure        htmlFigure
}

func newHTMLAnswers(answers []answer) ([]htmlAnswer, error) {
	var shown []htmlAnswer
	for _, a := range answers {
		drawn, err := newHTMLFigure(a.picture())
		if err != nil {
			return nil, err
		}
		shown = append(shown, htmlAnswer{a.sentence(), a.context(), drawn})
	}
	return shown, nil
}

// pictures returns copies of the answers without their sentences.
func pictures(answers []htmlAnswer) []htmlAnswer {
	for i := range answers {
		answers[i].Says, answers[i].Context = "", ""
	}
	return answers
}

// span is a part of a text. Notes mark code with backticks, as Markdown does.
type span struct {
	Text string
	Code bool
}

func spans(note string) []span {
	var parts []span
	for i, text := range strings.Split(note, "`") {
		if text != "" {
			parts = append(parts, span{text, i%2 == 1})
		}
	}
	return parts
}

// firstOrder is the order of a column after the first click: the best first.
func firstOrder(h head) string {
	if h.Better == result.Higher {
		return "descending"
	}
	return "ascending"
}

// slug makes a name that any file system and any address takes.
func slug(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-")
}
