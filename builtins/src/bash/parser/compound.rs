//! Groups, subshells, conditions, loops and `case`.

use super::super::{Arm, Command, Compound, List, Redirection, Word};
use super::words::Place;
use super::{END, Parsed, Parser, Until, command};

impl Parser<'_> {
    /// A compound command that begins with a reserved word, if one stands here.
    pub(super) fn compound(&mut self) -> Parsed<Option<Command>> {
        let start = self.cursor.at();
        let kind = if self.eat_word("{") {
            Compound::Group(self.between(Until::Words(&["}"]), "}")?)
        } else if self.eat_word("if") {
            self.condition()?
        } else if self.eat_word("while") {
            self.while_loop(false)?
        } else if self.eat_word("until") {
            self.while_loop(true)?
        } else if self.eat_word("for") {
            self.for_loop()?
        } else if self.eat_word("case") {
            self.case()?
        } else {
            return Ok(None);
        };
        self.ended(kind, start).map(Some)
    }

    pub(super) fn subshell(&mut self) -> Parsed<Command> {
        let start = self.cursor.at();
        if self.cursor.second() == b'(' {
            return Err(self.unsupported(start, "`((`"));
        }
        self.cursor.bump();
        let list = self.filled(Until::Parenthesis)?;
        self.cursor.bump();
        self.ended(Compound::Subshell(list), start)
    }

    /// The redirections behind a compound command.
    fn ended(&mut self, kind: Compound, start: usize) -> Parsed<Command> {
        let mut redirections: Vec<Redirection> = Vec::new();
        let mut span = self.cursor.span(start);
        loop {
            self.skip_blanks();
            let Some(redirection) = self.redirection()? else { break };
            redirections.push(redirection);
            span = self.cursor.span(start);
        }
        Ok(Command::Compound { kind, redirections, span })
    }

    /// A list that has to have a command, and the reserved word behind it.
    fn between(&mut self, until: Until, word: &str) -> Parsed<List> {
        let list = self.filled(until)?;
        self.expect_word(word)?;
        Ok(list)
    }

    fn condition(&mut self) -> Parsed<Compound> {
        let mut branches = Vec::new();
        let mut otherwise = None;
        loop {
            let condition = self.between(Until::Words(&["then"]), "then")?;
            let body = self.filled(Until::Words(&["elif", "else", "fi"]))?;
            branches.push((condition, body));
            if self.eat_word("elif") {
                continue;
            }
            if self.eat_word("else") {
                otherwise = Some(self.filled(Until::Words(&["fi"]))?);
            }
            self.expect_word("fi")?;
            return Ok(Compound::If { branches, otherwise });
        }
    }

    fn while_loop(&mut self, until: bool) -> Parsed<Compound> {
        let condition = self.between(Until::Words(&["do"]), "do")?;
        let body = self.between(Until::Words(&["done"]), "done")?;
        Ok(Compound::While { until, condition, body })
    }

    fn for_loop(&mut self) -> Parsed<Compound> {
        self.skip_blanks();
        let start = self.cursor.at();
        if self.cursor.peek() == b'(' {
            return Err(self.unsupported(start, "`for ((`"));
        }
        let name = self.cursor.take(command::is_name);
        let named = name.bytes().next().is_some_and(command::is_name_start);
        if !named || !super::ends_word(self.cursor.peek()) {
            return Err(self.unexpected());
        }
        self.skip_lines()?;
        let mut words = None;
        if self.eat_word("in") {
            words = Some(self.for_words()?);
        } else if self.cursor.peek() == b';' {
            self.cursor.bump();
        }
        self.expect_word("do")?;
        let body = self.between(Until::Words(&["done"]), "done")?;
        Ok(Compound::For { name, words, body })
    }

    fn for_words(&mut self) -> Parsed<Vec<Word>> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            match self.cursor.peek() {
                b';' | b'\n' => {
                    self.cursor.eat(b';');
                    return Ok(words);
                }
                b'<' | b'>' if self.at_process() => {}
                END | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => return Err(self.unexpected()),
                _ => {}
            }
            self.words(&mut words)?;
        }
    }

    fn case(&mut self) -> Parsed<Compound> {
        self.skip_blanks();
        let word = self.some_word(Place::Single)?;
        self.expect_word("in")?;
        let mut arms = Vec::new();
        loop {
            self.skip_lines()?;
            if self.eat_word("esac") {
                return Ok(Compound::Case { word, arms });
            }
            let arm = self.arm()?;
            arms.push(arm);
            if self.cursor.peek() == b';' {
                // `;&` and `;;&` go on with the next arm; every arm counts anyway, but not every shell has them.
                self.cursor.bump();
                if !self.cursor.eat(b';') || self.cursor.peek() == b'&' {
                    return Err(self.unsupported(self.cursor.at(), "`;&`"));
                }
            } else {
                self.expect_word("esac")?;
                return Ok(Compound::Case { word, arms });
            }
        }
    }

    fn arm(&mut self) -> Parsed<Arm> {
        if self.cursor.eat(b'(') {
            self.skip_blanks();
        }
        let mut patterns = Vec::new();
        loop {
            patterns.push(self.some_word(Place::Pattern)?);
            self.skip_blanks();
            if self.cursor.eat(b')') {
                break;
            }
            if !self.cursor.eat(b'|') {
                return Err(self.unexpected());
            }
            self.skip_blanks();
        }
        Ok(Arm { patterns, body: self.list(Until::Arm)? })
    }

    /// A word where there has to be one.
    pub(super) fn some_word(&mut self, place: Place) -> Parsed<Word> {
        if super::ends_word(self.cursor.peek()) && !self.at_process() {
            return Err(self.unexpected());
        }
        self.word(place)
    }
}
