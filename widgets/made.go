package widgets

// What is nil or zero is no widget: calls on it panic with a *ValueError that says which function
// makes one.

func (w *IntModel) made() *IntModel {
	if w == nil || w.m == nil {
		panic(unmade("IntModel", "IntSlider or IntProgress"))
	}
	return w
}

func (w *FloatModel) made() *FloatModel {
	if w == nil || w.m == nil {
		panic(unmade("FloatModel", "FloatSlider or FloatProgress"))
	}
	return w
}

func (w *BoolModel) made() *BoolModel {
	if w == nil || w.m == nil {
		panic(unmade("BoolModel", "Checkbox"))
	}
	return w
}

func (w *ChoiceModel) made() *ChoiceModel {
	if w == nil || w.m == nil {
		panic(unmade("ChoiceModel", "Dropdown"))
	}
	return w
}

func (w *TextModel) made() *TextModel {
	if w == nil || w.m == nil {
		panic(unmade("TextModel", "Text, Label or HTML"))
	}
	return w
}

func (w *ButtonModel) made() *ButtonModel {
	if w == nil || w.m == nil {
		panic(unmade("ButtonModel", "Button"))
	}
	return w
}

func (w *OutputModel) made() *OutputModel {
	if w == nil || w.m == nil {
		panic(unmade("OutputModel", "Output"))
	}
	return w
}

func (w *BoxModel) made() *BoxModel {
	if w == nil || w.m == nil {
		panic(unmade("BoxModel", "HBox or VBox"))
	}
	return w
}

func (i *Interaction) made() *Interaction {
	if i == nil || i.box == nil {
		panic(unmade("Interaction", "Interact"))
	}
	return i
}

func unmade(what, by string) error {
	return &ValueError{what, "the widget", "nil or zero", "one that " + by + " made"}
}

// made is for what all controls can be told.
func (c *common[W]) made() *model {
	if c == nil || c.m == nil {
		panic(unmade("the widget", "a function of this package"))
	}
	return c.m
}
